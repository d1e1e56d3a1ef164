import { amount, type Dct } from '@dct/money'
import type { DbOrTx } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { offsetOf, type Paging } from '../../platform/lists.ts'
import {
  type DownlineFigures,
  directCounts,
  downlineFigures,
  highestUserId,
  lockedOf,
} from './downline-figures.queries.ts'
import {
  countDirects,
  countFound,
  directIds,
  fitsMoreThan,
  idsByLevel,
  idsByScan,
  idsByWalk,
  idsInOrder,
  type Listing,
  type NodeSort,
  nodesOf,
  orderedDirects,
  type Stretch,
} from './downline-list.queries.ts'
import { readNodeSearch } from './node-search.ts'

export type ListedNode = {
  level: number
  address: Buffer
  referralCode: string
  createdAt: Date
  locked: Dct
  referrals: number
}
export type NodePage = {
  nodes: ListedNode[]
  total: number
  /** True when there are more than the total says. */
  isCapped?: boolean
}

type NodeQuery<S> = Paging & {
  search?: string | undefined
  sort_by: S
  sort_order: 'asc' | 'desc'
}

/** Downlines up to this size are read as a whole, whatever is asked. */
const SMALL = 5_000
/** What it costs, in one unit: to read one user of a downline, to ask one user whether it belongs, to go one level down. */
const READ_COST = 4
const ASK_COST = 100
const LEVEL_COST = 30
const FIRST_PAGES = 100
/** A search that fits more users than this, whoever they stand below, is a broad one. */
const BROAD = 1_000
/** Downlines up to this size are read as a whole for a broad search. */
const READABLE = 100_000
/** Of a larger one a broad search is counted no further: beyond it a search is narrowed, not leafed through. */
const COUNT_CAP = 200

/**
 * One page of a user's whole downline. How it is found depends on how large the downline is, so that
 * neither a long line nor a wide tree makes the page slow.
 */
export async function listDownline(
  db: DbOrTx,
  userId: bigint,
  query: NodeQuery<Listing['sort']>,
): Promise<NodePage> {
  const top = await figuresOf(db, userId)
  const search = readNodeSearch(query.search)
  if (search.kind === 'nobody') return { nodes: [], total: 0 }
  const stretch = { offset: offsetOf(query), limit: query.limit, sort_order: query.sort_order }
  const listing: Listing = { search, sort: query.sort_by, stretch }
  if (search.kind === 'everybody') {
    const ids = await pageOfAll(db, top, listing)
    return { nodes: await describeNodes(db, ids, top.depth), total: top.members }
  }
  const { ids, ...counted } = await pageOfFound(db, top, listing)
  return { nodes: await describeNodes(db, ids, top.depth), ...counted }
}

/** What a search finds costs as much as the users that must be read or asked for it; whichever are fewer. */
async function pageOfFound(
  db: DbOrTx,
  top: DownlineFigures,
  listing: Listing,
): Promise<{ ids: bigint[]; total: number; isCapped?: boolean }> {
  const { search } = listing
  const isBroad = top.members > SMALL && (await fitsMoreThan(db, search, BROAD))
  if (isBroad && top.members > READABLE) {
    const counted = await countFound(db, top, { search, how: 'scan', most: COUNT_CAP + 1 })
    const ids = await idsInOrder(db, top, listing)
    return { ids, total: Math.min(counted, COUNT_CAP), isCapped: counted > COUNT_CAP }
  }
  const how = isBroad || top.members <= SMALL ? 'walk' : 'scan'
  const total = await countFound(db, top, { search, how, most: null })
  const ids = how === 'scan' ? await idsByScan(db, top, listing) : await idsByWalk(db, top, listing)
  return { ids, total }
}

/** The second half of a list is read from its end. */
async function pageOfAll(db: DbOrTx, top: DownlineFigures, listing: Listing): Promise<bigint[]> {
  const { offset, limit, sort_order } = listing.stretch
  const left = top.members - offset
  if (left <= 0) return []
  if (offset <= top.members / 2) return stretchOfAll(db, top, listing)
  const stretch: Stretch = {
    offset: Math.max(0, left - limit),
    limit: Math.min(limit, left),
    sort_order: sort_order === 'asc' ? 'desc' : 'asc',
  }
  return (await stretchOfAll(db, top, { ...listing, stretch })).reverse()
}

async function stretchOfAll(db: DbOrTx, top: DownlineFigures, listing: Listing): Promise<bigint[]> {
  const { sort, stretch } = listing
  const through = stretch.offset + (stretch.limit ?? 0)
  const walkCost = top.members * READ_COST
  if (sort === 'level' && stretch.sort_order === 'asc') {
    // At worst every level holds one user.
    const levels = Math.min(through, top.deepest - top.depth)
    const isNear = through <= FIRST_PAGES || levels * LEVEL_COST + through * READ_COST < walkCost
    return isNear ? idsByLevel(db, top.userId, stretch) : idsByWalk(db, top, listing)
  }
  if (top.members <= SMALL) return idsByWalk(db, top, listing)
  const users = Number(await highestUserId(db))
  const asked = (through * users) / top.members
  return asked * ASK_COST < walkCost ? idsByScan(db, top, listing) : idsByWalk(db, top, listing)
}

/** One page of the direct referrals of a user. */
export async function listDirects(
  db: DbOrTx,
  userId: bigint,
  query: NodeQuery<NodeSort>,
): Promise<NodePage> {
  const top = await figuresOf(db, userId)
  const search = readNodeSearch(query.search)
  if (search.kind === 'nobody') return { nodes: [], total: 0 }
  const stretch = { offset: offsetOf(query), limit: query.limit, sort_order: query.sort_order }
  const ids = await directIds(db, userId, { search, sort: query.sort_by, stretch })
  const total = search.kind === 'some' ? await countDirects(db, userId, search) : top.directs
  return { nodes: await describeNodes(db, ids, top.depth), total }
}

/** All direct referrals of a user, in order: how to find them, and how to describe what was found. */
export async function allDirects(
  db: DbOrTx,
  userId: bigint,
  query: Omit<NodeQuery<NodeSort>, keyof Paging>,
) {
  const { depth } = await figuresOf(db, userId)
  const search = readNodeSearch(query.search)
  const stretch = { offset: 0, limit: null, sort_order: query.sort_order }
  return {
    query:
      search.kind === 'nobody'
        ? undefined
        : orderedDirects(userId, { search, sort: query.sort_by, stretch }),
    describe: (tx: DbOrTx, rows: readonly { id: bigint }[]) =>
      describeNodes(
        tx,
        rows.map(({ id }) => id),
        depth,
      ),
  }
}

async function figuresOf(db: DbOrTx, userId: bigint): Promise<DownlineFigures> {
  const figures = (await downlineFigures(db, [userId])).get(userId)
  if (figures === undefined) throw new Refusal('NOT_FOUND')
  return figures
}

async function describeNodes(
  db: DbOrTx,
  ids: readonly bigint[],
  topDepth: number,
): Promise<ListedNode[]> {
  const nodes = await nodesOf(db, ids)
  const [referrals, locked] = await Promise.all([
    directCounts(db, ids),
    lockedOf(
      db,
      nodes.map(({ address }) => address),
    ),
  ])
  return nodes.map((node) => ({
    level: node.depth - topDepth,
    address: node.address,
    referralCode: node.referral_code,
    createdAt: node.created_at,
    locked: amount('DCT', locked.get(node.address.toString('hex')) ?? 0n),
    referrals: referrals.get(node.id) ?? 0,
  }))
}
