import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { clearAlarm, raiseAlarm } from '../alarms/alarms.ts'
import type { Clock } from '../clock.ts'
import { type Db, inTransaction, type Tx } from '../database/db.ts'
import { own } from '../database/platform.tables.ts'
import type { Logger } from '../logger.ts'
import { type Channel, DeliveryError, NotWanted, type PersonalChannel } from './channels/channel.ts'
import { type Message, TEST_TYPE } from './message.ts'
import { MAX_ATTEMPTS, retryPauseMs } from './retry.ts'

/** A send that takes longer counts as failed, whatever its connection does. */
const PATIENCE_MS = 45_000
/** How long a worker that takes a delivery has it to itself: longer than sending it and recording the outcome. */
const LEASE_MS = 120_000
/** After this many failed attempts at one message, the channel needs an admin. */
const TROUBLE_AFTER = 4
const MAX_ERROR_LENGTH = 500

export type DeliverDeps = {
  db: Db
  log: Logger
  /** Business time, for alarms. */
  clock: Clock
  realClock: Clock
  /** From 0 to 1. */
  random: () => number
}

type Taken = { id: bigint; attempts: number; message: Message; receiver: string }
type AnyChannel = Channel | PersonalChannel

/**
 * Sends up to `limit` deliveries of a channel in parallel, those that have been due for longest. No transaction is open
 * while sending. If the process dies between sending and recording, the delivery is sent again under the same id.
 * @returns whether any delivery was due
 */
export async function deliverDue(
  deps: DeliverDeps,
  channel: AnyChannel,
  limit: number,
): Promise<boolean> {
  const taken = await takeDue(deps, channel, limit)
  await Promise.all(taken.map((delivery) => deliver(deps, channel, delivery)))
  return taken.length > 0
}

async function deliver(deps: DeliverDeps, channel: AnyChannel, taken: Taken): Promise<void> {
  try {
    await sendInTime(channel, taken)
  } catch (error) {
    if (error instanceof NotWanted) await drop(deps, taken)
    else await recordFailure(deps, channel, { taken, error })
    return
  }
  await recordSuccess(deps, channel, taken)
}

async function takeDue(
  { db, realClock }: DeliverDeps,
  channel: AnyChannel,
  limit: number,
): Promise<Taken[]> {
  const now = realClock.now()
  const ofKind = own(db)
    .selectFrom('outbox_delivery')
    .select('id')
    .where('channel', '=', channel.kind)
  const due = ('receiver' in channel ? ofKind.where('receiver', '=', channel.receiver) : ofKind)
    .where('state', '=', 'pending')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
  const rows = await own(db)
    .updateTable('outbox_delivery as d')
    .from('outbox_message as m')
    .set({ attempts: sql<number>`d.attempts + 1`, due_at: new Date(now.getTime() + LEASE_MS) })
    // As an array, so that the rows are locked once, whatever the plan.
    .where('d.id', '=', sql<bigint>`any(array(${due}))`)
    .whereRef('m.id', '=', 'd.message_id')
    .returning([
      'd.id as delivery',
      'd.attempts',
      'd.receiver',
      'm.id',
      'm.type',
      'm.severity',
      'm.data',
      'm.at',
    ])
    .execute()
  // An update returns its rows in any order; receivers should get messages in the order in which things happened.
  return rows
    .map(({ delivery, attempts, receiver, ...message }) => ({
      ...{ id: delivery, attempts, receiver, message },
    }))
    .toSorted((a, b) => Number(a.id - b.id))
}

async function sendInTime(channel: AnyChannel, { message, receiver }: Taken): Promise<void> {
  const sent = new AbortController()
  const late = async () => {
    await sleep(PATIENCE_MS, undefined, { signal: sent.signal })
    throw new DeliveryError('The receiver did not answer in time.')
  }
  try {
    await Promise.race([channel.send(message, receiver), late()])
  } finally {
    sent.abort()
  }
}

async function drop({ db }: DeliverDeps, { id, attempts }: Taken): Promise<void> {
  await own(db)
    .deleteFrom('outbox_delivery')
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute()
}

async function recordSuccess(deps: DeliverDeps, channel: AnyChannel, taken: Taken): Promise<void> {
  const ended_at = deps.realClock.now()
  await inTransaction(deps.db, async (tx) => {
    await record(tx, taken, { state: 'sent', ended_at, last_error: null })
    await clearAlarm(tx, { ...alarmOf(channel), at: deps.clock.now() })
  })
}

async function recordFailure(
  deps: DeliverDeps,
  channel: AnyChannel,
  { taken, error }: { taken: Taken; error: unknown },
): Promise<void> {
  const { attempts, message, receiver } = taken
  const now = deps.realClock.now()
  const last_error = (error instanceof Error ? error.message : String(error)).slice(
    0,
    MAX_ERROR_LENGTH,
  )
  const { retryAfterMs, isFinal, isGone, isPersonal } =
    error instanceof DeliveryError ? error : new DeliveryError('')
  const isOver = isFinal || attempts >= MAX_ATTEMPTS || message.type === TEST_TYPE
  const facts = { channel: channel.kind, receiver, message: message.id }
  deps.log.warn({ ...facts, attempts, isOver, reason: last_error }, 'deliveryFailed')
  await inTransaction(deps.db, async (tx) => {
    if (isOver) await record(tx, taken, { state: 'failed', ended_at: now, last_error })
    else {
      const pause = retryPauseMs({ attempts, random: deps.random(), retryAfterMs })
      await record(tx, taken, { due_at: new Date(now.getTime() + pause), last_error })
    }
    if (isGone && 'end' in channel) await channel.end(tx, receiver, error)
    if (message.type === TEST_TYPE || isPersonal || (attempts < TROUBLE_AFTER && !isOver)) return
    await raiseAlarm(tx, {
      ...alarmOf(channel),
      message: `Messages do not reach ${'receiver' in channel ? channel.receiver : 'holders'}: ${last_error}`,
      at: deps.clock.now(),
    })
  })
}

function alarmOf(channel: AnyChannel) {
  return { kind: 'notifications.failing', subject: nameOf(channel) } as const
}

function nameOf(channel: AnyChannel): string {
  return 'receiver' in channel ? `${channel.kind} ${channel.receiver}` : channel.kind
}

type Change = Partial<{
  state: 'sent' | 'failed'
  due_at: Date
  ended_at: Date
  last_error: string | null
}>

/** Changes nothing when another worker has taken over the delivery, because this process was away for too long. */
async function record(tx: Tx, { id, attempts }: Taken, change: Change): Promise<void> {
  await own(tx)
    .updateTable('outbox_delivery')
    .set(change)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'pending')
    .execute()
}
