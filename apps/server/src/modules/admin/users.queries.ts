import type { LIST_ORDERS } from '@dct/api-contract/lists'
import { readAddressSearch } from '@dct/rules/binary-search-text'
import { type RawBuilder, sql } from 'kysely'
import { fitsAddress } from '../../platform/database/binary-search.ts'
import type { ReadDb } from '../../platform/database/db.ts'
import {
  cappedTotal,
  fromNearerEnd,
  MAX_COUNTED,
  offsetOf,
  type Paging,
  prefixPattern,
  reverseOf,
} from '../../platform/http/lists.ts'
import { serviceCounts } from './service-counts.queries.ts'

type UserSort = (typeof LIST_ORDERS.users.sortable)[number]
export type UserFilter = { search: string; hasPercentage: boolean }
export type UserOrder = { by: UserSort; direction: 'asc' | 'desc' }

/** A figure is stored in rows `f`; most users have no row, or one where the figure is 0. */
type Order =
  | { by: RawBuilder<unknown> }
  | { figure: RawBuilder<unknown>; rows: RawBuilder<unknown> }
const total = (figure: string): Order => ({
  figure: sql.ref(figure),
  rows: sql`downline_total_view`,
})
const balance = (kind: 'direct' | 'indirect', figure: string): Order => ({
  figure: sql.raw(figure),
  rows: sql`(select * from referral_balance_view where kind = ${kind})`,
})
const ORDERS: Readonly<Record<UserSort, Order>> = {
  created_at: { by: sql`u.created_at` },
  tron_address: { by: sql`u.address` },
  role: { by: sql`u.role` },
  referral_code: { by: sql`u.referral_code` },
  email: { by: sql`u.email` },
  referral_reward_percentage: { by: sql`u.referral_reward_bps` },
  total_referrals: total('directs'),
  total_referral_omset: total('turnover'),
  total_direct_reward: balance('direct', 'earned'),
  total_direct_claimed: balance('direct', 'claimed'),
  total_direct_unclaimed: balance('direct', 'earned - claimed'),
  total_indirect_reward: balance('indirect', 'earned'),
  total_indirect_claimed: balance('indirect', 'claimed'),
  total_indirect_unclaimed: balance('indirect', 'earned - claimed'),
}

/** The number of users that match a filter, exact up to a limit. */
export async function countUsers(
  db: ReadDb,
  filter: UserFilter,
): Promise<{ total: number; isCapped: boolean }> {
  if (filter.search === '' && !filter.hasPercentage) {
    return { total: Number((await serviceCounts(db)).users), isCapped: false }
  }
  const { rows } = await sql<{ count: bigint }>`
    select count(*) from (
      select from app_user_view u where ${matching(filter)} limit ${MAX_COUNTED + 1}) found`.execute(
    db,
  )
  return cappedTotal(rows[0]?.count ?? 0n)
}

/** The ids of one page of users. */
export async function findUserIds(
  db: ReadDb,
  filter: UserFilter,
  page: Paging & { order: UserOrder; counted: { total: number; isCapped: boolean } },
): Promise<bigint[]> {
  const window = { offset: offsetOf(page), limit: page.limit }
  const { total, isCapped } = page.counted
  const stretch = isCapped ? { ...window, isReversed: false } : fromNearerEnd({ ...window, total })
  const { by, direction } = page.order
  const part = {
    offset: stretch.offset,
    limit: stretch.limit,
    order: { by, direction: stretch.isReversed ? reverseOf(direction) : direction },
  }
  const isEverybody = filter.search === '' && !filter.hasPercentage
  const ids = isEverybody
    ? await idsOfEverybody(db, { ...part, total })
    : await readIds(
        db,
        orderedUserIds(filter, { ...part, isWide: filter.search === '' || isCapped }),
      )
  return stretch.isReversed ? ids.reverse() : ids
}

type Part = { order: UserOrder; offset: number; limit: number }

async function readIds(db: ReadDb, query: RawBuilder<{ id: bigint }>): Promise<bigint[]> {
  const { rows } = await query.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * For a sort by a figure, users with and without the figure are read separately: those without it are in id order and
 * need no sorting. A user who ever had a figure is never removed.
 */
async function idsOfEverybody(db: ReadDb, part: Part & { total: number }): Promise<bigint[]> {
  const order = ORDERS[part.order.by]
  if ('by' in order) {
    return readIds(
      db,
      orderedUserIds({ search: '', hasPercentage: false }, { ...part, isWide: true }),
    )
  }
  const { figure, rows: having } = order
  const direction = sql.raw(part.order.direction)
  const withFigure = (offset: number, limit: number) =>
    readIds(
      db,
      sql`select user_id as id from ${having} f where ${figure} > 0
        order by ${figure} ${direction}, user_id ${direction} offset ${offset} limit ${limit}`,
    )
  const without = (offset: number, limit: number) =>
    readIds(
      db,
      sql`select u.id from app_user_view u where u.deleted_at is null
          and not exists (select from ${having} f where f.user_id = u.id and ${figure} > 0)
        order by u.id ${direction} offset ${offset} limit ${limit}`,
    )
  const count = async () => {
    const { rows } = await sql<{ count: bigint }>`
      select count(*) from ${having} f where ${figure} > 0`.execute(db)
    return Number(rows[0]?.count ?? 0n)
  }
  if (part.order.direction === 'desc') {
    const ids = await withFigure(part.offset, part.limit)
    if (ids.length === part.limit) return ids
    const passed = await count()
    return [...ids, ...(await without(Math.max(0, part.offset - passed), part.limit - ids.length))]
  }
  // Counted up front: where nearly all users have the figure, those without it are sparse in the index.
  const passed = part.total - (await count())
  const ids = part.offset < passed ? await without(part.offset, part.limit) : []
  if (ids.length === part.limit) return ids
  return [...ids, ...(await withFigure(Math.max(0, part.offset - passed), part.limit - ids.length))]
}

/** The ids of users in order; all of them when `limit` is null. */
export function orderedUserIds(
  filter: UserFilter,
  page: Omit<Part, 'limit'> & { isWide: boolean; limit: number | null },
): RawBuilder<{ id: bigint }> {
  const order = ORDERS[page.order.by]
  const [by, from] =
    'by' in order
      ? [order.by, sql``]
      : [sql`coalesce(${order.figure}, 0)`, sql`left join ${order.rows} f on f.user_id = u.id`]
  const direction = sql.raw(page.order.direction)
  // Collects the hits of a narrow search first: walking an index in sort order until ten are found could visit all
  // users.
  const found = page.isWide
    ? sql`app_user_view u ${from} where ${matching(filter)}`
    : sql`(select u.* from app_user_view u where ${matching(filter)} offset 0) u ${from}`
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
  const address = readAddressSearch(search)
  if (address !== undefined) hits.push(fitsAddress(sql.ref('u.address'), address))
  return sql`${living} and (${sql.join(hits, sql` or `)})`
}

/** What prevents a user from being removed, apart from a downline. */
export async function bondsOf(
  db: ReadDb,
  user: { id: bigint; address: Buffer },
): Promise<{ hasEarnings: boolean; hasRewards: boolean }> {
  const { rows } = await sql<{ hasEarnings: boolean; hasRewards: boolean }>`
    select
      exists (select from stake_record where staker = ${user.address}) as "hasEarnings",
      exists (select from referral_balance_view where user_id = ${user.id}) as "hasRewards"`.execute(
    db,
  )
  return rows[0] ?? { hasEarnings: false, hasRewards: false }
}
