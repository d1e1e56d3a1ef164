import type { UserSort } from '@dct/api-contract/admin'
import { tronAddressRange } from '@dct/rules/address-prefix'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../platform/db.ts'
import {
  cappedTotal,
  fromNearerEnd,
  MAX_COUNTED,
  offsetOf,
  type Paging,
  prefixPattern,
  reverseOf,
} from '../../platform/lists.ts'
import { serviceCounts } from './service-counts.queries.ts'

export type UserFilter = { search: string; hasPercentage: boolean }
export type UserOrder = { by: UserSort; direction: 'asc' | 'desc' }

type Order = { by: RawBuilder<unknown>; from?: RawBuilder<unknown> }
const totals = sql`left join downline_total t on t.user_id = u.id`
const balance = (kind: 'direct' | 'indirect', figure: string): Order => ({
  from: sql`left join referral_balance b on b.user_id = u.id and b.kind = ${kind}`,
  by: sql`coalesce(${sql.raw(figure)}, 0)`,
})
const ORDERS: Readonly<Record<UserSort, Order>> = {
  created_at: { by: sql`u.created_at` },
  tron_address: { by: sql`u.address` },
  role: { by: sql`u.role` },
  referral_code: { by: sql`u.referral_code` },
  email: { by: sql`u.email` },
  referral_reward_percentage: { by: sql`u.referral_reward_bps` },
  total_referrals: { from: totals, by: sql`coalesce(t.directs, 0)` },
  total_referral_omset: { from: totals, by: sql`coalesce(t.turnover, 0)` },
  total_direct_reward: balance('direct', 'b.earned'),
  total_direct_claimed: balance('direct', 'b.claimed'),
  total_direct_unclaimed: balance('direct', 'b.earned - b.claimed'),
  total_indirect_reward: balance('indirect', 'b.earned'),
  total_indirect_claimed: balance('indirect', 'b.claimed'),
  total_indirect_unclaimed: balance('indirect', 'b.earned - b.claimed'),
}

/** How many users there are of a filter, exactly up to a limit. */
export async function countUsers(
  db: DbOrTx,
  filter: UserFilter,
): Promise<{ total: number; isCapped: boolean }> {
  if (filter.search === '' && !filter.hasPercentage) {
    return { total: Number((await serviceCounts(db)).users), isCapped: false }
  }
  const { rows } = await sql<{ count: bigint }>`
    select count(*) from (
      select from app_user u where ${matching(filter)} limit ${MAX_COUNTED + 1}) found`.execute(db)
  return cappedTotal(rows[0]?.count ?? 0n)
}

/** The ids of one page of users. */
export async function findUserIds(
  db: DbOrTx,
  filter: UserFilter,
  page: Paging & { order: UserOrder; counted: { total: number; isCapped: boolean } },
): Promise<bigint[]> {
  const window = { offset: offsetOf(page), limit: page.limit }
  const { total, isCapped } = page.counted
  const stretch = isCapped ? { ...window, isReversed: false } : fromNearerEnd({ ...window, total })
  const { by, direction } = page.order
  const { rows } = await orderedUserIds(filter, {
    offset: stretch.offset,
    limit: stretch.limit,
    order: { by, direction: stretch.isReversed ? reverseOf(direction) : direction },
    isWide: filter.search === '' || isCapped,
  }).execute(db)
  const ids = rows.map(({ id }) => id)
  return stretch.isReversed ? ids.reverse() : ids
}

/** The ids of users in order; all of them where no limit is set. */
export function orderedUserIds(
  filter: UserFilter,
  page: { order: UserOrder; isWide: boolean; offset: number; limit: number | null },
): RawBuilder<{ id: bigint }> {
  const { by, from = sql`` } = ORDERS[page.order.by]
  const direction = sql.raw(page.order.direction)
  // A search with few hits collects them first: walking an order until ten are found could take all users.
  const found = page.isWide
    ? sql`app_user u ${from} where ${matching(filter)}`
    : sql`(select u.* from app_user u where ${matching(filter)} offset 0) u ${from}`
  return sql<{ id: bigint }>`
    select u.id from ${found}
    order by ${by} ${direction}, u.id ${direction}
    limit ${page.limit} offset ${page.offset}`
}

function matching({ search, hasPercentage }: UserFilter): RawBuilder<unknown> {
  const living = hasPercentage
    ? sql`u.deleted_at is null and u.referral_reward_bps > 0`
    : sql`u.deleted_at is null`
  if (search === '') return living
  const hits = [
    sql`lower(u.email) like ${prefixPattern(search.toLowerCase())}`,
    sql`u.referral_code like ${prefixPattern(search.toUpperCase())}`,
  ]
  const range = tronAddressRange(search)
  if (range !== undefined) {
    hits.push(sql`u.address between ${Buffer.from(range.from)} and ${Buffer.from(range.to)}`)
  }
  return sql`${living} and (${sql.join(hits, sql` or `)})`
}

/** What keeps a user from being removed, besides a downline. */
export async function bondsOf(
  db: DbOrTx,
  user: { id: bigint; address: Buffer },
): Promise<{ hasEarnings: boolean; hasRewards: boolean }> {
  const { rows } = await sql<{ hasEarnings: boolean; hasRewards: boolean }>`
    select
      exists (select from stake_record where staker = ${user.address}) as "hasEarnings",
      exists (select from referral_balance where user_id = ${user.id}) as "hasRewards"`.execute(db)
  return rows[0] ?? { hasEarnings: false, hasRewards: false }
}
