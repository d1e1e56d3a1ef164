import { sql } from 'kysely'
import { addDays, type BusinessDay, startOfBusinessDay } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import './earnings.tables.ts'
import { excuseEverybody } from './excuses.queries.ts'

/** Looks this close together in real time leave no gap between them. */
const MAX_GAP_MS = 3 * 60_000
/** Holders are excused for a day on which they could not claim for longer than this. */
const TOLERATED_MS = 60 * 60_000

export type AvailabilityNote = {
  /** Business time. */
  now: Date
  /** Tells an outage from a business clock that was moved on: that one jumps in no time. */
  realNow: Date
  /** Whether a holder could claim right now. */
  isOpen: boolean
}

/**
 * Notes that claims are possible now. Notes that follow closely make one span; no note, because we were down or claims
 * were closed, makes a gap. Call it every minute or so; several processes may.
 */
export async function noteAvailability(tx: Tx, note: AvailabilityNote): Promise<void> {
  if (!note.isOpen) return
  const last = await tx
    .selectFrom('claim_availability')
    .select(['id', 'seen_at'])
    .orderBy('to_at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  const gapMs =
    last === undefined ? Number.POSITIVE_INFINITY : note.realNow.getTime() - last.seen_at.getTime()
  if (last === undefined || gapMs > MAX_GAP_MS) {
    await tx
      .insertInto('claim_availability')
      .values({ from_at: note.now, to_at: note.now, seen_at: note.realNow })
      .execute()
    return
  }
  await tx
    .updateTable('claim_availability')
    .set({
      to_at: sql<Date>`greatest(to_at, ${note.now})`,
      seen_at: sql<Date>`greatest(seen_at, ${note.realNow})`,
    })
    .where('id', '=', last.id)
    .execute()
}

/** Excuses everybody for a past day on which claims were not possible for more than an hour. */
export async function judgeDay(tx: Tx, day: BusinessDay, at: Date): Promise<void> {
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
  // Before the first note nobody watched; nothing is known to have been closed.
  if (since === null || since >= before) return
  const watchedMs = before.getTime() - Math.max(from.getTime(), since.getTime())
  if (watchedMs - openMs <= TOLERATED_MS) return
  await excuseEverybody(tx, { day, reason: 'claims_unavailable', at })
}
