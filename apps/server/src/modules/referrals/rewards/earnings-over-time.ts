import type { ReferralKind } from '@dct/rules/referral-shares'
import { sql } from 'kysely'
import {
  addDays,
  type BusinessDay,
  businessDayOf,
  startOfBusinessDay,
} from '../../../platform/clock.ts'
import type { ReadDb } from '../../../platform/database/db.ts'
import { readBalances } from './rewards.queries.ts'

const DAYS = 30
const MONTHS = 12

export type EarnedPeriod = { start: BusinessDay; direct: bigint; indirect: bigint }

/** What a user earned on each of the last 30 business days, or in each of the last 12 months. */
export async function earningsOverTime(
  db: ReadDb,
  userId: bigint,
  span: { by: 'day' | 'month'; now: Date },
): Promise<EarnedPeriod[]> {
  const starts = startsOf(span)
  const earned = await earnedBefore(db, userId, starts)
  const balances = await readBalances(db, [userId])
  const growth = (kind: ReferralKind) => {
    const total = balances.find((one) => one.kind === kind)?.earned ?? 0n
    return differences([...(earned.get(kind) ?? []), total])
  }
  const [direct, indirect] = [growth('direct'), growth('indirect')]
  return starts.map((start, at) => ({
    start,
    direct: direct[at] ?? 0n,
    indirect: indirect[at] ?? 0n,
  }))
}

function startsOf({ by, now }: { by: 'day' | 'month'; now: Date }): BusinessDay[] {
  const today = businessDayOf(now)
  if (by === 'day') return Array.from({ length: DAYS }, (_, at) => addDays(today, at + 1 - DAYS))
  const month = `${today.slice(0, 8)}01` as BusinessDay
  const starts = [month]
  while (starts.length < MONTHS) {
    const before = addDays(starts[0] ?? month, -1)
    starts.unshift(`${before.slice(0, 8)}01` as BusinessDay)
  }
  return starts
}

/** The amounts earned before the start of each day. Each reward stores the running sum, so one row is enough. */
async function earnedBefore(
  db: ReadDb,
  userId: bigint,
  starts: readonly BusinessDay[],
): Promise<ReadonlyMap<ReferralKind, bigint[]>> {
  const instants = starts.map((day) => startOfBusinessDay(day).toISOString())
  const { rows } = await sql<{ kind: ReferralKind; running: bigint }>`
    select k.kind, coalesce(r.running, 0) as running
    from unnest(array['direct', 'indirect']) k (kind)
      cross join unnest(${instants}::timestamptz[]) b (at)
      left join lateral (
        select r.running from referral_reward r
        where r.receiver_id = ${userId} and r.kind = k.kind and r.created_at < b.at
        order by r.created_at desc, r.row_number desc limit 1) r on true
    order by k.kind, b.at`.execute(db)
  const all = Map.groupBy(rows, ({ kind }) => kind)
  return new Map([...all].map(([kind, own]) => [kind, own.map(({ running }) => running)]))
}

/**
 * Fees settled at the same time may be numbered in a different order than dated, so decreases of the sum are ignored.
 */
function differences(sums: readonly bigint[]): bigint[] {
  let highest = sums[0] ?? 0n
  return sums.slice(1).map((sum) => {
    const grown = sum > highest ? sum - highest : 0n
    highest += grown
    return grown
  })
}
