import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../platform/db.ts'
import { fromNearerEnd, reverseOf } from '../../platform/lists.ts'
import { type IdSet, idsOf, type Span } from './id-set.ts'
import { packed, unpack } from './known-tree.queries.ts'
import { type NodeSearch, searchCondition } from './node-search.ts'
import './referrals.tables.ts'

export type NodeSort =
  | 'level'
  | 'created_at'
  | 'tron_address'
  | 'referral_code'
  | 'total_locked_amount'
  | 'total_referrals'
export type Stretch = { offset: number; limit: number; sort_order: 'asc' | 'desc' }
/** Without a limit it goes to the end. */
type OpenStretch = Omit<Stretch, 'limit'> & { limit: number | null }

/** Ids grow with time, so the order of ids is that of registration. */
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

async function readIds(db: DbOrTx, query: RawBuilder<{ id: bigint }>): Promise<bigint[]> {
  const { rows } = await query.execute(db)
  return rows.map(({ id }) => id)
}

export type Listing = { search: NodeSearch; sort: keyof typeof COLUMNS; stretch: Stretch }

/** A stretch of a downline that is read as a whole, row by row. For those that are not large. */
export function idsByWalk(db: DbOrTx, userId: bigint, listing: Listing): Promise<bigint[]> {
  const { search, sort, stretch } = listing
  return readIds(
    db,
    sql`select n.id from referral_downline(${userId}) n where ${searchCondition(search, 'n')}
      ${ordered('n', COLUMNS[sort], stretch)}`,
  )
}

/** How many of a downline a search finds, read in the same way. */
export async function countByWalk(db: DbOrTx, userId: bigint, search: NodeSearch): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`
    select count(*) as total from referral_downline(${userId}) n
    where ${searchCondition(search, 'n')}`.execute(db)
  return Number(rows[0]?.total ?? 0n)
}

/** Everybody whom a search fits, wherever they stand, out of the indexes of addresses and codes alone. */
export async function idsFitting(
  db: DbOrTx,
  { addresses, codes }: NodeSearch & { kind: 'some' },
): Promise<Int32Array> {
  const byAddress =
    addresses &&
    sql`select id from app_user
      where deleted_at is null and address between ${addresses.from} and ${addresses.to}`
  const byCode =
    codes && sql`select id from app_user where referral_code between ${codes.from} and ${codes.to}`
  const parts = [byAddress, byCode].filter((part) => part !== undefined)
  const { rows } = await sql<{ packed: Buffer | null }>`
    select ${packed(sql`id`)} as packed from (${sql.join(parts, sql` union all `)}) fit`.execute(db)
  return unpack(rows[0]?.packed ?? null)
}

/** So few users are looked up one by one; more are met on the way through everybody. */
const FEW = 2_000

/** The part of a set of users from one place up to another, when it is put in order. */
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
  // The index of addresses holds the living alone. By code the condition would cost a look at every row.
  const living = sort === 'tron_address' ? sql`u.deleted_at is null` : sql`true`
  const isMeant =
    set.size <= FEW
      ? sql`u.id = any(${idsOf(set)}::bigint[])`
      : sql`${living} and ${isIn(set, sql`u.id`)}`
  const ids = await readIds(db, sql`select u.id from app_user u where ${isMeant} ${order}`)
  return isReversed ? ids.reverse() : ids
}

/** All of a set whose figure is not 0, by that figure, upwards. */
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

/** "Not 0" lets the planner expect that most users are in the set, so that it goes through them in order. */
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
      select u.id from app_user u left join downline_total t on t.user_id = u.id
      where ${isOwn}
      order by coalesce(${sql.ref(`t.${FIGURES[sort]}`)}, 0) ${direction}, u.id ${direction}
      offset ${offset} limit ${limit}`
  }
  if (search.kind === 'everybody' && (sort === 'level' || sort === 'created_at')) {
    // Spelled as a range, so that no other index than that of referrers has this order.
    return sql`
      select n.user_id as id from referral_node n where not n.is_removed
        and (n.referrer_id, n.user_id) > (${userId}::bigint, 0::bigint)
        and (n.referrer_id, n.user_id) < (${userId}::bigint + 1, 0::bigint)
      order by n.referrer_id ${direction}, n.user_id ${direction}
      offset ${offset} limit ${limit}`
  }
  // All direct referrals stand at the same level.
  const column = sort === 'level' ? 'id' : COLUMNS[sort]
  return sql`select u.id from app_user u where ${isOwn} ${ordered('u', column, stretch)}`
}

/** One page of the direct referrals of a user. For those that are not many. */
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
    select count(*) as total from app_user u where u.referrer_id = ${userId}
      and u.deleted_at is null and ${searchCondition(search, 'u')}`.execute(db)
  return Number(rows[0]?.total ?? 0n)
}

/** Users by id, in the order of `ids`. */
export async function nodesOf(db: DbOrTx, ids: readonly bigint[]) {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('app_user')
    .select(['id', 'depth', 'address', 'referral_code', 'created_at'])
    .where('id', 'in', [...ids])
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
