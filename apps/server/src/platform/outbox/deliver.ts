import { setTimeout as sleep } from 'node:timers/promises'
import { clearAlarm, raiseAlarm } from '../alarms/alarms.ts'
import type { Clock } from '../clock.ts'
import { type Db, inTransaction, type Tx } from '../database/db.ts'
import { own } from '../database/platform.tables.ts'
import type { Logger } from '../logger.ts'
import { type Channel, DeliveryError, NotWanted, type PersonalChannel } from './channels/channel.ts'
import type { LaneStanding } from './lane-standing.ts'
import { TEST_TYPE } from './message.ts'
import { isGivenUp, retryPauseMs } from './retry.ts'
import type { Taken } from './take-due.ts'

/** A send that takes longer counts as failed, whatever its connection does. */
const PATIENCE_MS = 45_000
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

export type AnyChannel = Channel | PersonalChannel

/**
 * Sends one delivery and records the outcome. No transaction is open while sending. If the process dies between sending
 * and recording, the delivery is sent again under the same id.
 */
export async function deliver(
  deps: DeliverDeps,
  { channel, standing }: { channel: AnyChannel; standing: LaneStanding },
  taken: Taken,
): Promise<void> {
  const begunAt = performance.now()
  try {
    await sendInTime(channel, taken)
  } catch (error) {
    const tookMs = performance.now() - begunAt
    if (error instanceof NotWanted) await drop(deps, taken)
    else await recordFailure(deps, { channel, standing }, { taken, error, tookMs })
    return
  }
  standing.succeeded(taken.receiver)
  await recordSuccess(deps, { channel, standing }, taken)
}

async function sendInTime(channel: AnyChannel, { message, receiver }: Taken): Promise<void> {
  const sent = new AbortController()
  const late = async () => {
    await sleep(PATIENCE_MS, undefined, { signal: sent.signal })
    throw new DeliveryError('The receiver did not answer in time.', { isUnreached: true })
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

type Lane = { channel: AnyChannel; standing: LaneStanding }

async function recordSuccess(
  deps: DeliverDeps,
  { channel, standing }: Lane,
  taken: Taken,
): Promise<void> {
  const ended_at = deps.realClock.now()
  await inTransaction(deps.db, async (tx) => {
    await record(tx, taken, { state: 'sent', ended_at, last_error: null })
    if (standing.isFailing()) return
    await clearAlarm(tx, { ...alarmOf(channel), at: deps.clock.now() })
  })
}

async function recordFailure(
  deps: DeliverDeps,
  { channel, standing }: Lane,
  { taken, error, tookMs }: { taken: Taken; error: unknown; tookMs: number },
): Promise<void> {
  const { attempts, message, receiver } = taken
  const now = deps.realClock.now()
  const failure = error instanceof DeliveryError ? error : new DeliveryError(String(error))
  // A channel of the operator is nobody's personal matter, and does not end: the operator has to mend it.
  const isPersonal = failure.isPersonal && 'end' in channel
  const isFinal = failure.isFinal && (isPersonal || !failure.isGone)
  const last_error = messageOf(error)
  const isTest = message.type === TEST_TYPE
  const waitedMs = now.getTime() - taken.dispatchedAt.getTime()
  const isOver = isFinal || isTest || isGivenUp({ attempts, isPersonal, waitedMs })
  const { isUnreached } = failure
  const facts = { attempts, isOver, isPersonal, isUnreached, tookMs }
  if (!isTest) standing.failed(receiver, facts)
  const what = { channel: channel.kind, receiver, message: message.id }
  deps.log.warn({ ...what, attempts, isOver, reason: last_error }, 'deliveryFailed')
  await inTransaction(deps.db, async (tx) => {
    if (isOver) await record(tx, taken, { state: 'failed', ended_at: now, last_error })
    else {
      const { retryAfterMs } = failure
      const random = deps.random()
      const pauseMs = retryPauseMs({ attempts, isPersonal, random, retryAfterMs })
      const due_at = new Date(now.getTime() + pauseMs)
      await record(tx, taken, { due_at, last_error })
      if (isUnreached) await holdBack(tx, { channel, receiver, now, due_at })
    }
    if (failure.isGone && 'end' in channel) await channel.end(tx, receiver, error)
    if (isTest || !standing.isFailing()) return
    const whom = 'receiver' in channel ? channel.receiver : 'holders'
    await raiseAlarm(tx, {
      ...alarmOf(channel),
      message: `Messages do not reach ${whom}: ${last_error}`,
      at: deps.clock.now(),
    })
  })
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.slice(0, MAX_ERROR_LENGTH)
}

/** Lets the other messages to a receiver that does not answer wait with the one that has just failed. */
async function holdBack(
  tx: Tx,
  {
    channel,
    receiver,
    now,
    due_at,
  }: { channel: AnyChannel; receiver: string; now: Date; due_at: Date },
): Promise<void> {
  await own(tx)
    .updateTable('outbox_delivery')
    .set({ due_at })
    .where('channel', '=', channel.kind)
    .where('receiver', '=', receiver)
    .where('state', '=', 'pending')
    .where('due_at', '<=', now)
    .execute()
}

function alarmOf(channel: AnyChannel) {
  return { kind: 'messages.failing', subject: nameOf(channel) } as const
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
