import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../platform/db.ts'
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
/** Whose downline, how deep that user stands, and how deep the downline reaches. */
export type Top = { userId: bigint; depth: number; deepest: number }

/** Ids grow with time, so the order of ids is that of registration. */
const COLUMNS = {
  created_at: 'id',
  level: 'depth',
  tron_address: 'address',
  referral_code: 'referral_code',
} as const

function ordered(table: string, column: string, { sort_order, offset, limit }: OpenStretch) {
  const direction = sql.raw(sort_order)
  const id = sql.ref(`${table}.id`)
  const first = column === 'id' ? sql`` : sql`${sql.ref(`${table}.${column}`)} ${direction}, `
  return sql`order by ${first}${id} ${direction} offset ${offset} limit ${limit}`
}

async function idsOf(db: DbOrTx, query: RawBuilder<{ id: bigint }>): Promise<bigint[]> {
  const { rows } = await query.execute(db)
  return rows.map(({ id }) => id)
}

/** A stretch of a downline by level, upwards: reads no level further than it has to. */
export function idsByLevel(db: DbOrTx, userId: bigint, stretch: Stretch): Promise<bigint[]> {
  const { offset, limit } = stretch
  return idsOf(
    db,
    sql`select user_id as id from referral_levels(${userId}, ${offset}, ${limit})
      order by level, user_id`,
  )
}

/** How what a search finds is found: `idsByWalk`, `idsByMembers` or `idsByScan`. */
export type Finding = 'walk' | 'members' | 'scan'
export type Listing = { search: NodeSearch; sort: keyof typeof COLUMNS; stretch: Stretch }

/** A stretch of a downline by level, upwards, wherever it begins: goes through all levels above it. */
export function idsByFarLevel(
  db: DbOrTx,
  userId: bigint,
  stretch: Omit<Stretch, 'sort_order'>,
): Promise<bigint[]> {
  const { offset, limit } = stretch
  return idsOf(
    db,
    sql`select user_id as id from referral_far_levels(${userId}, ${offset}, ${limit})
      order by level, user_id`,
  )
}

/** A stretch of a downline that is read as a whole, row by row. For those that are not large. */
export function idsByWalk(db: DbOrTx, top: Top, listing: Listing): Promise<bigint[]> {
  const { search, sort, stretch } = listing
  return idsOf(
    db,
    sql`select n.id from referral_downline(${top.userId}) n where ${searchCondition(search, 'n')}
      ${ordered('n', COLUMNS[sort], stretch)}`,
  )
}

/**
 * A stretch of a downline whose ids are read as a whole: those alone are kept that are found among
 * them, while going through all users in the wanted order, or through those that a search fits.
 */
export function idsByMembers(db: DbOrTx, top: Top, listing: Listing): Promise<bigint[]> {
  const { search, sort, stretch } = listing
  if (search.kind === 'some') {
    return idsOf(
      db,
      sql`with found as materialized (${foundMembers(top, search)})
        select u.id from found join app_user u on u.id = found.id
        ${ordered('u', COLUMNS[sort], stretch)}`,
    )
  }
  if (sort === 'created_at') {
    const direction = sql.raw(stretch.sort_order)
    return idsOf(
      db,
      sql`select id from referral_members(${top.userId}) id order by id ${direction}
        offset ${stretch.offset} limit ${stretch.limit}`,
    )
  }
  // The index of addresses holds the living alone. By code the condition would cost a look at every row.
  const living = sort === 'tron_address' ? sql`u.deleted_at is null` : sql`true`
  return idsOf(
    db,
    sql`select u.id from app_user u where ${living} and ${isMember(top, 'u')}
      ${ordered('u', COLUMNS[sort], stretch)}`,
  )
}

/** The members that a search fits, out of the indexes of addresses and codes alone. */
function foundMembers(top: Top, { addresses, codes }: NodeSearch & { kind: 'some' }) {
  const fits = [
    ...(addresses === undefined
      ? []
      : [
          sql`select u.id from app_user u where u.deleted_at is null
            and u.address between ${addresses.from} and ${addresses.to}`,
        ]),
    ...(codes === undefined
      ? []
      : [
          sql`select u.id from app_user u
            where u.referral_code between ${codes.from} and ${codes.to}`,
        ]),
  ]
  return sql`select fit.id from (${sql.join(fits, sql` union `)}) fit where ${isMember(top, 'fit')}`
}

/** `is true` keeps it a look into a table in memory: as a join the planner would guess at its size. */
function isMember({ userId }: Top, table: string) {
  return sql`(${sql.ref(`${table}.id`)} in (select referral_members(${userId}))) is true`
}

/**
 * A stretch of a downline among the first users in the wanted order: each is asked whether it belongs,
 * and no more than `asked` of them. For downlines that are a good part of all users; where its members
 * stand elsewhere in the order, it finds too few.
 */
export function idsAmongFirst(
  db: DbOrTx,
  top: Top,
  listing: Omit<Listing, 'search'> & { asked: number },
): Promise<bigint[]> {
  const { sort, stretch, asked } = listing
  const first = { ...stretch, offset: 0, limit: asked }
  const users =
    sort === 'level'
      ? sql`select n.user_id as id, n.depth from referral_node n
          where not n.is_removed and n.depth > ${top.depth} and n.depth <= ${top.deepest}
          order by n.depth ${sql.raw(stretch.sort_order)}, n.user_id ${sql.raw(stretch.sort_order)}
          limit ${asked}`
      : sql`select u.id, u.address, u.referral_code from app_user u
          where u.deleted_at is null and u.id > ${top.userId} ${ordered('u', COLUMNS[sort], first)}`
  return idsOf(
    db,
    sql`select u.id from (${users}) u where referral_is_under(u.id, ${top.userId}, ${top.depth})
      ${ordered('u', COLUMNS[sort], stretch)}`,
  )
}

/** A stretch of what a narrow search finds: each user that it fits is asked whether it belongs. */
export function idsByScan(db: DbOrTx, top: Top, listing: Listing): Promise<bigint[]> {
  const { search, sort, stretch } = listing
  return idsOf(
    db,
    sql`select u.id from app_user u where ${belongs(top)} and ${searchCondition(search, 'u')}
      ${ordered('u', COLUMNS[sort], stretch)}`,
  )
}

/**
 * A stretch of what a broad search finds in a large downline: goes through all users in the wanted
 * order, and asks those alone that the search fits.
 */
export function idsInOrder(db: DbOrTx, top: Top, listing: Listing): Promise<bigint[]> {
  const { search, sort, stretch } = listing
  if (sort !== 'level') return idsByScan(db, top, listing)
  const direction = sql.raw(stretch.sort_order)
  return idsOf(
    db,
    sql`select n.user_id as id from referral_node n cross join lateral (
        select u.id from app_user u
        where u.id = n.user_id and ${searchCondition(search, 'u')} offset 0) found
      where not n.is_removed and n.depth > ${top.depth} and n.depth <= ${top.deepest}
        and referral_is_under(found.id, ${top.userId}, ${top.depth})
      order by n.depth ${direction}, n.user_id ${direction}
      offset ${stretch.offset} limit ${stretch.limit}`,
  )
}

/** Whether a search fits more users than that, whoever they stand below. */
export async function fitsMoreThan(
  db: DbOrTx,
  search: NodeSearch,
  count: number,
): Promise<boolean> {
  const { rows } = await sql<{ fits: boolean }>`
    select count(*) > ${count} as fits from (
      select from app_user u where u.deleted_at is null and ${searchCondition(search, 'u')}
      limit ${count + 1}) found`.execute(db)
  return rows[0]?.fits ?? false
}

function belongs({ userId, depth }: Top) {
  return sql`u.deleted_at is null and u.id > ${userId}
    and referral_is_under(u.id, ${userId}, ${depth})`
}

/** How many of a downline a search finds; counts no further than `most`, where it is given. */
export async function countFound(
  db: DbOrTx,
  top: Top,
  { search, how, most }: { search: NodeSearch; how: Finding; most: number | null },
): Promise<number> {
  const found = {
    walk: sql`
      select from referral_downline(${top.userId}) n where ${searchCondition(search, 'n')}`,
    members:
      search.kind === 'some'
        ? foundMembers(top, search)
        : sql`select from referral_members(${top.userId})`,
    scan: sql`select from app_user u where ${belongs(top)} and ${searchCondition(search, 'u')}`,
  }[how]
  const { rows } = await sql<{ total: bigint }>`
    select count(*) as total from (${found} limit ${most}) found`.execute(db)
  return Number(rows[0]?.total ?? 0n)
}

/** One page of the direct referrals of a user. */
export function directIds(
  db: DbOrTx,
  userId: bigint,
  listing: { search: NodeSearch; sort: NodeSort; stretch: Stretch },
): Promise<bigint[]> {
  return idsOf(db, orderedDirects(userId, listing))
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
    const figure = sql.ref(sort === 'total_referrals' ? 't.directs' : 't.locked')
    return sql`
      select u.id from app_user u left join downline_total t on t.user_id = u.id
      where ${isOwn} order by coalesce(${figure}, 0) ${direction}, u.id ${direction}
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
