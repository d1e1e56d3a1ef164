import { type RawBuilder, sql } from 'kysely'
import { fitsAddress } from '../../../platform/database/binary-search.ts'
import type { DbOrTx, ReadDb } from '../../../platform/database/db.ts'
import { fromNearerEnd, reverseOf } from '../../../platform/http/lists.ts'
import { own } from '../referrals.tables.ts'
import { type IdSet, idsOf, type Span } from './id-set.ts'
import { type NodeSearch, searchCondition } from './node-search.ts'
import { packed, unpack } from './tree-cache.queries.ts'

export type NodeSort =
  | 'level'
  | 'created_at'
  | 'tron_address'
  | 'referral_code'
  | 'total_locked_amount'
  | 'total_referrals'
export type Stretch = { offset: number; limit: number; sort_order: 'asc' | 'desc' }
/** A null `limit` means all. */
type OpenStretch = Omit<Stretch, 'limit'> & { limit: number | null }

/** Ids grow with time, so id order is the order of registration. */
const COLUMNS = {
  created_at: 'id',
  level: 'depth',
  tron_address: 'address',
  referral_code: 'referral_code',
} as const
const FIGURES = { total_locked_amount: 'locked', total_referrals: 'directs' } as const

function ordered(table: string, column: string, { sort_order, offset, limit }: OpenStretch) {
  const direction = sql.raw(sort_order)
  const id = sql.ref(`${table}.id`)
  const first = column === 'id' ? sql`` : sql`${sql.ref(`${table}.${column}`)} ${direction}, `
  return sql`order by ${first}${id} ${direction} offset ${offset} limit ${limit}`
}

async function readIds(db: ReadDb, query: RawBuilder<{ id: bigint }>): Promise<bigint[]> {
  const { rows } = await query.execute(db)
  return rows.map(({ id }) => id)
}

export type Listing = { search: NodeSearch; sort: keyof typeof COLUMNS; stretch: Stretch }

/** One page of a downline, read by walking the whole downline row by row. For small downlines. */
export function idsByWalk(db: DbOrTx, userId: bigint, listing: Listing): Promise<bigint[]> {
  const { search, sort, stretch } = listing
  return readIds(
    db,
    sql`select n.id from referral_downline(${userId}) n where ${searchCondition(search, 'n')}
      ${ordered('n', COLUMNS[sort], stretch)}`,
  )
}

/** The number of matches in a downline, counted by the same walk. */
export async function countByWalk(db: DbOrTx, userId: bigint, search: NodeSearch): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`
    select count(*) as total from referral_downline(${userId}) n
    where ${searchCondition(search, 'n')}`.execute(db)
  return Number(rows[0]?.total ?? 0n)
}

/** All users that match a search, wherever they are in the tree, from the indexes of addresses and codes. */
export async function idsFitting(
  db: DbOrTx,
  { address, codes }: NodeSearch & { kind: 'some' },
): Promise<Int32Array> {
  const byAddress =
    address &&
    sql`select id from app_user_view
      where deleted_at is null and ${fitsAddress(sql.ref('address'), address)}`
  const byCode =
    codes &&
    sql`select id from app_user_view where referral_code between ${codes.from} and ${codes.to}`
  const parts = [byAddress, byCode].filter((part) => part !== undefined)
  const { rows } = await sql<{ packed: Buffer | null }>`
    select ${packed(sql`id`)} as packed from (${sql.join(parts, sql` union all `)}) fit`.execute(db)
  return unpack(rows[0]?.packed ?? null)
}

/** Up to this many users are looked up by id; for more, an index over all users is walked. */
const FEW = 2_000

/** The part of a set of users between two positions in sort order. */
export async function idsInOrder(
  db: DbOrTx,
  set: IdSet,
  { sort, span }: { sort: 'tron_address' | 'referral_code'; span: Span },
): Promise<bigint[]> {
  const limit = span.end - span.from
  const { isReversed, ...part } = fromNearerEnd({ offset: span.from, limit, total: set.size })
  const order = ordered('u', COLUMNS[sort], {
    ...part,
    sort_order: isReversed ? reverseOf('asc') : 'asc',
  })
  // The index on addresses covers only users that are not deleted. For codes, the condition would cost a heap fetch per
  // row.
  const living = sort === 'tron_address' ? sql`u.deleted_at is null` : sql`true`
  const isMeant =
    set.size <= FEW
      ? sql`u.id = any(${idsOf(set)}::bigint[])`
      : sql`${living} and ${isIn(set, sql`u.id`)}`
  const ids = await readIds(db, sql`select u.id from app_user_view u where ${isMeant} ${order}`)
  return isReversed ? ids.reverse() : ids
}

/** The ids of a set whose figure is not 0, in ascending order of that figure. */
export async function idsByFigure(
  db: DbOrTx,
  set: IdSet,
  sort: keyof typeof FIGURES,
): Promise<Int32Array> {
  const figure = sql.ref(FIGURES[sort])
  const { rows } = await sql<{ packed: Buffer | null }>`
    select ${packed(sql`user_id`)} as packed from (
      select user_id from downline_total where ${figure} > 0 and ${isIn(set, sql`user_id`)}
      order by ${figure}, user_id) ranked`.execute(db)
  return unpack(rows[0]?.packed ?? null)
}

/** Written as "<> 0" so that the planner expects most users to be in the set and walks the index in order. */
function isIn({ bits }: IdSet, id: RawBuilder<unknown>) {
  return sql`case when ${id} < ${bits.length * 8} then get_bit(${bits}::bytea, ${id}) else 0 end <> 0`
}

/** The direct referrals of a user, in order. */
export function orderedDirects(
  userId: bigint,
  { search, sort, stretch }: { search: NodeSearch; sort: NodeSort; stretch: OpenStretch },
): RawBuilder<{ id: bigint }> {
  const { offset, limit } = stretch
  const direction = sql.raw(stretch.sort_order)
  const isOwn = sql`u.referrer_id = ${userId} and u.deleted_at is null
    and ${searchCondition(search, 'u')}`
  if (sort === 'total_locked_amount' || sort === 'total_referrals') {
    return sql`
      select u.id from app_user_view u left join downline_total t on t.user_id = u.id
      where ${isOwn}
      order by coalesce(${sql.ref(`t.${FIGURES[sort]}`)}, 0) ${direction}, u.id ${direction}
      offset ${offset} limit ${limit}`
  }
  if (search.kind === 'everybody' && (sort === 'level' || sort === 'created_at')) {
    // Written as a range, so that only the index on referrers offers this order.
    return sql`
      select n.user_id as id from referral_node n where not n.is_removed
        and (n.referrer_id, n.user_id) > (${userId}::bigint, 0::bigint)
        and (n.referrer_id, n.user_id) < (${userId}::bigint + 1, 0::bigint)
      order by n.referrer_id ${direction}, n.user_id ${direction}
      offset ${offset} limit ${limit}`
  }
  // All direct referrals are on the same level.
  const column = sort === 'level' ? 'id' : COLUMNS[sort]
  return sql`select u.id from app_user_view u where ${isOwn} ${ordered('u', column, stretch)}`
}

/** One page of a user's direct referrals, for users who have few. */
export function directIds(
  db: DbOrTx,
  userId: bigint,
  listing: { search: NodeSearch; sort: NodeSort; stretch: Stretch },
): Promise<bigint[]> {
  return readIds(db, orderedDirects(userId, listing))
}

export async function countDirects(
  db: DbOrTx,
  userId: bigint,
  search: NodeSearch,
): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`
    select count(*) as total from app_user_view u where u.referrer_id = ${userId}
      and u.deleted_at is null and ${searchCondition(search, 'u')}`.execute(db)
  return Number(rows[0]?.total ?? 0n)
}

/** Users by id, in the order of `ids`. */
export async function nodesOf(db: ReadDb, ids: readonly bigint[]) {
  if (ids.length === 0) return []
  const rows = await own(db)
    .selectFrom('app_user_view')
    .select(['id', 'depth', 'address', 'referral_code', 'created_at'])
    .where('id', 'in', [...ids])
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
