import { sql } from 'kysely'
import {
  addDays,
  type BusinessDay,
  latestPossible,
  startOfBusinessDay,
} from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/db.ts'
import { own } from '../earnings.tables.ts'
import { exemptEverybody } from './exemptions.queries.ts'

/** Records at most this far apart in real time count as one uninterrupted span. */
const MAX_GAP_MS = 3 * 60_000
/** A day is exempt when claims were closed for longer than this in total. */
const TOLERATED_MS = 60 * 60_000

export type AvailabilityRecord = {
  /** Business time. */
  now: Date
  /**
   * Real time, which distinguishes an outage from a business clock that was moved forward: then hardly any real time
   * passes.
   */
  realNow: Date
  /** Whether a holder could claim right now. */
  isOpen: boolean
}

/**
 * Records that claims are possible now. Consecutive records extend one span; missing ones, because the service was down
 * or claims were closed, leave a gap. To be called about once a minute by every process that answers holders, and by no
 * other: one that only works in the background cannot know whether they could claim.
 */
export async function recordAvailability(tx: Tx, record: AvailabilityRecord): Promise<void> {
  if (!record.isOpen) return
  const last = await lastSpan(tx, record)
  if (last === undefined) {
    await own(tx)
      .insertInto('claim_availability')
      .values({ from_at: record.now, to_at: record.now, seen_at: record.realNow })
      .execute()
    return
  }
  await own(tx)
    .updateTable('claim_availability')
    .set({
      to_at: sql<Date>`greatest(to_at, ${record.now})`,
      seen_at: sql<Date>`greatest(seen_at, ${record.realNow})`,
    })
    .where('id', '=', last.id)
    .execute()
}

/**
 * Lets a span that was recorded a moment ago reach to now, for when the business clock was moved forward since. Other
 * than a record, it does not prolong the span by its own word.
 */
export async function extendAvailability(tx: Tx, record: AvailabilityRecord): Promise<void> {
  const last = record.isOpen ? await lastSpan(tx, record) : undefined
  if (last === undefined) return
  await own(tx)
    .updateTable('claim_availability')
    .set({ to_at: sql<Date>`greatest(to_at, ${record.now})` })
    .where('id', '=', last.id)
    .execute()
}

/** The span that a record continues, locked; undefined if the last one is too long ago. */
async function lastSpan(tx: Tx, { now, realNow }: AvailabilityRecord) {
  const last = await own(tx)
    .selectFrom('claim_availability')
    .select(['id', 'seen_at'])
    // Spans from the future, recorded while a clock was wrong, are not continued.
    .where('seen_at', '<=', latestPossible(realNow))
    .where('to_at', '<=', latestPossible(now))
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  const isRecent = last !== undefined && realNow.getTime() - last.seen_at.getTime() <= MAX_GAP_MS
  return isRecent ? last : undefined
}

/** Exempts all earnings for a past day on which claims were closed for more than an hour in total. */
export async function exemptClosedDay(tx: Tx, day: BusinessDay, at: Date): Promise<void> {
  const from = startOfBusinessDay(day)
  const before = startOfBusinessDay(addDays(day, 1))
  const result = await sql<{ since: Date | null; openMs: number }>`
    with spans as (
      select range_agg(tstzrange(from_at, to_at)) * tstzmultirange(tstzrange(${from}, ${before})) as open
      from claim_availability where to_at > ${from} and from_at < ${before})
    select (select min(from_at) from claim_availability) as since,
      coalesce((select sum(extract(epoch from upper(span) - lower(span)) * 1000)
        from spans, unnest(open) as span), 0)::float8 as "openMs"`.execute(tx)
  const { since, openMs } = result.rows[0] ?? { since: null, openMs: 0 }
  // Nothing is known about the time before the first record, so it does not count as closed.
  if (since === null || since >= before) return
  const watchedMs = before.getTime() - Math.max(from.getTime(), since.getTime())
  if (watchedMs - openMs <= TOLERATED_MS) return
  await exemptEverybody(tx, { day, reason: 'claims_unavailable', at })
}
