import { sql } from 'kysely'
import { ADVISORY_LOCKS } from '../../../platform/database/advisory-locks.ts'
import type { ReadDb, Tx } from '../../../platform/database/db.ts'

/** One process updates the totals at a time. @returns false if another one is updating them */
export async function lockTotals(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.downlineTotals}) as locked`.execute(tx)
  return rows[0]?.locked ?? false
}

export type TakenChange = { referrerId: bigint; members: number; depth: number }

/**
 * Removes the oldest joins and removals from the queue and returns them. `depth` is the level at which they happened.
 */
export async function takeChanges(tx: Tx, limit: number): Promise<TakenChange[]> {
  const { rows } = await sql<TakenChange>`
    with taken as (
      delete from downline_change where id in (
        select id from downline_change order by id limit ${limit})
      returning referrer_id, members)
    select t.referrer_id as "referrerId", t.members, n.depth + 1 as depth
    from taken t join referral_node n on n.user_id = t.referrer_id`.execute(tx)
  return rows
}

export type TakenStake = { userId: bigint; referrerId: bigint | null; amount: bigint }

/**
 * Removes stakes of registered users from the queue and returns them. Stakes of unregistered addresses remain queued.
 */
export async function takeStakes(tx: Tx, limit: number): Promise<TakenStake[]> {
  const { rows } = await sql<TakenStake>`
    with found as (
      select s.stake_id, u.id, u.referrer_id from referral_stake s
      join app_user_view u on u.address = s.staker and u.deleted_at is null
      where not s.is_counted order by s.recorded_at limit ${limit})
    update referral_stake s set is_counted = true from found f where s.stake_id = f.stake_id
    returning f.id as "userId", f.referrer_id as "referrerId", s.amount`.execute(tx)
  return rows
}

/** These users and everyone above them, by descending id. */
export async function usersAbove(
  tx: Tx,
  userIds: readonly bigint[],
): Promise<{ userId: bigint; referrerId: bigint | null }[]> {
  const { rows } = await sql<{ userId: bigint; referrerId: bigint | null }>`
    with recursive above as (
      select n.user_id, n.referrer_id from referral_node n
        where n.user_id = any(${[...new Set(userIds)].map(String)}::bigint[])
      union
      select n.* from above a cross join lateral (
        select n.user_id, n.referrer_id from referral_node n
        where n.user_id = a.referrer_id offset 0) n)
    select user_id as "userId", referrer_id as "referrerId" from above
    order by user_id desc`.execute(tx)
  return rows
}

export type DownlineDelta = {
  userId: bigint
  directs: number
  members: number
  locked: bigint
  turnover: bigint
  deepest: number
}

export async function addToTotals(tx: Tx, deltas: readonly DownlineDelta[]): Promise<void> {
  const column = (read: (delta: DownlineDelta) => bigint | number) =>
    deltas.map((delta) => String(read(delta)))
  const ids = column((delta) => delta.userId)
  await sql`
    insert into downline_total (user_id) select unnest(${ids}::bigint[])
    on conflict (user_id) do nothing`.execute(tx)
  await sql`
    update downline_total t set
      directs = t.directs + d.directs,
      members = t.members + d.members,
      locked = t.locked + d.locked,
      turnover = t.turnover + d.turnover,
      deepest = greatest(t.deepest, d.deepest)
    from unnest(
      ${ids}::bigint[],
      ${column((delta) => delta.directs)}::integer[],
      ${column((delta) => delta.members)}::integer[],
      ${column((delta) => delta.locked)}::numeric[],
      ${column((delta) => delta.turnover)}::numeric[],
      ${column((delta) => delta.deepest)}::integer[]
    ) as d (user_id, directs, members, locked, turnover, deepest)
    where t.user_id = d.user_id`.execute(tx)
}

/** The age in seconds of the oldest change that no total includes yet; 0 if there is none. */
export async function downlineAge(db: ReadDb): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(ceil(extract(epoch from clock_timestamp() - min(recorded_at))), 0)::integer as seconds
    from (
      select min(recorded_at) as recorded_at from downline_change
      union all
      select min(s.recorded_at) from referral_stake s
        join app_user_view u on u.address = s.staker and u.deleted_at is null
        where not s.is_counted) waiting`.execute(db)
  return rows[0]?.seconds ?? 0
}
