import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../platform/db.ts'
import './referrals.tables.ts'

/** Any number that no other program on this database uses: one fold runs at a time. */
const FOLD_LOCK = 7_204_671

/** False when another process is folding. */
export async function lockFold(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${FOLD_LOCK}) as locked`.execute(tx)
  return rows[0]?.locked ?? false
}

export type TakenChange = { referrerId: bigint; members: number; depth: number }

/** Takes who joined and left, oldest first. `depth` is how deep that was. */
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

/** Takes the stakes of users. Those of addresses that are not registered go on waiting. */
export async function takeStakes(tx: Tx, limit: number): Promise<TakenStake[]> {
  const { rows } = await sql<TakenStake>`
    with found as (
      select s.stake_id, u.id, u.referrer_id from referral_stake s
      join app_user u on u.address = s.staker and u.deleted_at is null
      where not s.is_folded order by s.noted_at limit ${limit})
    update referral_stake s set is_folded = true from found f where s.stake_id = f.stake_id
    returning f.id as "userId", f.referrer_id as "referrerId", s.amount`.execute(tx)
  return rows
}

/** These users and all who stand above any of them, the highest id first. */
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

/** How old the oldest change is that is in no total yet, in seconds. 0 when there is none. */
export async function downlineAge(db: DbOrTx): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(ceil(extract(epoch from clock_timestamp() - min(noted_at))), 0)::integer as seconds
    from (
      select min(noted_at) as noted_at from downline_change
      union all
      select min(s.noted_at) from referral_stake s
        join app_user u on u.address = s.staker and u.deleted_at is null
        where not s.is_folded) waiting`.execute(db)
  return rows[0]?.seconds ?? 0
}
