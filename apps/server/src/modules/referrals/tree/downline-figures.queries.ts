import { sql } from 'kysely'
import type { ReadDb } from '../../../platform/database/db.ts'
import { own } from '../referrals.tables.ts'

export type DownlineFigures = {
  userId: bigint
  depth: number
  /** Direct referrals. */
  directs: number
  /** The whole downline. */
  members: number
  /** DCT base units locked by the whole downline. */
  turnover: bigint
  /** The greatest depth that the downline has ever reached. */
  deepest: number
}

/** SQL: whether changes of downlines are still queued, which the totals do not contain. */
export function queueExists() {
  return sql<boolean>`((select min(id) from downline_change) is not null
    or (select min(recorded_at) from referral_stake where not is_counted) is not null)`
}

/** The current figures of users' downlines: the totals plus changes that are still queued. */
export async function downlineFigures(
  db: ReadDb,
  userIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, DownlineFigures>> {
  if (userIds.length === 0) return new Map()
  const { rows } = await sql<DownlineFigures & { isQueued: boolean }>`
    select n.user_id as "userId", n.depth, coalesce(t.directs, 0) as directs, coalesce(t.members, 0) as members,
      coalesce(t.turnover, 0) as turnover, greatest(t.deepest, n.depth) as deepest,
      ${queueExists()} as "isQueued"
    from referral_node n left join downline_total t on t.user_id = n.user_id
    where n.user_id in (${sql.join(userIds)})`.execute(db)
  const exact = rows[0]?.isQueued ? await figuresWithQueue(db, userIds) : rows
  return new Map(exact.map((row) => [row.userId, row]))
}

/**
 * The changes are first summed by position (materialized), so that each position is tested only once against a user's
 * downline. Even with an empty queue this costs ten times as much as the totals alone.
 */
async function figuresWithQueue(
  db: ReadDb,
  userIds: readonly bigint[],
): Promise<readonly DownlineFigures[]> {
  const { rows } = await sql<DownlineFigures>`
    with waiting as materialized (
      select c.referrer_id as place, c.members, 0::numeric as amount, n.depth + 1 as deepest
        from (select referrer_id, sum(members) as members from downline_change group by 1) c
          join referral_node n on n.user_id = c.referrer_id
      union all
      select u.referrer_id, 0, sum(s.amount), 0
        from referral_stake s join app_user_view u on u.address = s.staker and u.deleted_at is null
        where not s.is_counted and u.referrer_id is not null group by u.referrer_id)
    select n.user_id as "userId", n.depth,
      (coalesce(t.directs, 0) + coalesce(w.directs, 0))::integer as directs,
      (coalesce(t.members, 0) + coalesce(w.members, 0))::integer as members,
      coalesce(t.turnover, 0) + coalesce(w.amount, 0) as turnover,
      greatest(t.deepest, w.deepest, n.depth) as deepest
    from referral_node n
      left join downline_total t on t.user_id = n.user_id
      left join lateral (
        select sum(w.members) filter (where w.place = n.user_id) as directs,
          sum(w.members) as members, sum(w.amount) as amount, max(w.deepest) as deepest
        from waiting w
        where w.place = n.user_id or referral_is_under(w.place, n.user_id, n.depth)) w on true
    where n.user_id = any(${userIds.map(String)}::bigint[])`.execute(db)
  return rows
}

/** The current number of direct referrals of each user. */
export async function directCounts(
  db: ReadDb,
  userIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, number>> {
  if (userIds.length === 0) return new Map()
  const { rows } = await sql<{ id: bigint; directs: number }>`
    select asked.id, (coalesce(t.directs, 0) + coalesce((
        select sum(c.members) from downline_change c where c.referrer_id = asked.id), 0))::integer
      as directs
    from unnest(${userIds.map(String)}::bigint[]) asked (id)
      left join downline_total t on t.user_id = asked.id`.execute(db)
  return new Map(rows.map(({ id, directs }) => [id, directs]))
}

/** The DCT base units that each address ever locked; addresses without a stake are left out. */
export async function lockedOf(
  db: ReadDb,
  addresses: readonly Buffer[],
): Promise<ReadonlyMap<string, bigint>> {
  if (addresses.length === 0) return new Map()
  const rows = await own(db)
    .selectFrom('referral_stake')
    .select((eb) => ['staker', eb.fn.sum<bigint>('amount').as('amount')])
    .where('staker', 'in', [...addresses])
    .groupBy('staker')
    .execute()
  return new Map(rows.map((row) => [row.staker.toString('hex'), row.amount]))
}
