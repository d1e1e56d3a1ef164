import { randomUUID } from 'node:crypto'
import { ALARMS } from '@dct/api-contract/alarms'
import { cleanText } from '@dct/rules/clean-text'
import type { Clock } from '../clock.ts'
import { type Db, isOutage } from '../database/db.ts'
import { own } from '../database/platform.tables.ts'
import type { Logger } from '../logger.ts'
import type { Loop } from '../loops/loop.ts'
import type { Channel } from './channels/channel.ts'

const KIND = 'database.down'
/** A restart or a failover of the database is shorter. */
const DOWN_AFTER_MS = 20_000
const MOST_MESSAGE = 500

type Deps = {
  db: Db
  log: Logger
  realClock: Clock
  /** Milliseconds of a clock that never jumps. */
  monotonic(): number
  /** This process's machine, for the alarm. */
  host: string
  channels: readonly Channel[]
}

type Outage = { id: string; sinceMs: number; at: Date; informed: Set<Channel>; message: string }

/**
 * Watches a loop that regularly writes to the database. While it cannot, or a write does not end, no alarm can be
 * stored, so this one is sent to the channels of alarms directly, and its end through the outbox, which can be written
 * by then.
 */
export function withDatabaseAlarm(writing: Loop, deps: Deps): Loop {
  const { realClock, monotonic } = deps
  let outage: Outage | undefined
  const note = async (sinceMs: number, why: unknown) => {
    outage ??= {
      ...{ id: randomUUID(), sinceMs, at: realClock.now(), informed: new Set() },
      message: `This process cannot use the database: ${cleanText(`${why}`, MOST_MESSAGE)}`,
    }
    if (monotonic() - outage.sinceMs >= DOWN_AFTER_MS) await sendBeginning(deps, outage)
  }
  return {
    ...writing,
    async step() {
      const sinceMs = monotonic()
      let noting: Promise<void> | undefined
      const late = setInterval(() => {
        noting = note(sinceMs, 'a write does not end.')
      }, DOWN_AFTER_MS)
      try {
        const isIdle = await writing.step().finally(() => clearInterval(late))
        await noting
        if (outage !== undefined && outage.informed.size > 0) await sendEnd(deps, outage)
        outage = undefined
        return isIdle
      } catch (error) {
        if (!isOutage(error)) throw error
        await noting
        await note(sinceMs, error)
        throw error
      }
    },
  }
}

function factsOf({ host }: Deps, { at, message }: Outage) {
  return { kind: KIND, subject: host, message, raised_at: at.toISOString() }
}

/** Informs the channels that have not been informed. One that fails is tried again. */
async function sendBeginning(deps: Deps, outage: Outage): Promise<void> {
  const { id, at, informed } = outage
  const data = factsOf(deps, outage)
  const left = deps.channels.filter((channel) => channel.isForAlarms && !informed.has(channel))
  const { severity } = ALARMS[KIND]
  await Promise.all(
    left.map(async (channel) => {
      try {
        await channel.send({ id, type: 'alarm.raised', severity, data, at })
        informed.add(channel)
      } catch (err) {
        deps.log.warn({ err, channel: channel.kind, receiver: channel.receiver }, 'deliveryFailed')
      }
    }),
  )
}

async function sendEnd(deps: Deps, outage: Outage): Promise<void> {
  const { severity } = ALARMS[KIND]
  const data = { ...factsOf(deps, outage), times: 1 }
  const at = deps.realClock.now()
  await own(deps.db)
    .insertInto('outbox_message')
    .values({ type: 'alarm.resolved', severity, data, at, dispatched_at: null })
    .execute()
}
