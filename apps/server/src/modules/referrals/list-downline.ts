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
  type Finding,
  fitsMoreThan,
  idsAmongFirst,
  idsByFarLevel,
  idsByLevel,
  idsByMembers,
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
/** What it costs, in microseconds, about: one user or one level of what is named. */
const COST = {
  /** To read a stretch by level, level by level. */
  nearUser: 4,
  nearLevel: 30,
  /** To read a downline row by row, or its ids alone. */
  row: 7,
  id: 0.7,
  idLevel: 8,
  /** To look whether a user is among those ids, or to ask whether it belongs. */
  look: 0.4,
  ask: 20,
}
/** How many times as many users are asked as an even spread would need. */
const PATIENCE = 2
const FIRST_PAGES = 100
/** A search that fits more users than this, whoever they stand below, is a broad one. */
const BROAD = 1_000
/** Downlines up to this size are read row by row for a broad search; larger ones by their ids. */
const WALKABLE = 20_000
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
  const isWalked = top.members <= (isBroad ? WALKABLE : SMALL)
  const how: Finding = isWalked ? 'walk' : isBroad ? 'members' : 'scan'
  const total = await countFound(db, top, { search, how, most: null })
  return { ids: await FINDINGS[how](db, top, listing), total }
}

const FINDINGS = { walk: idsByWalk, members: idsByMembers, scan: idsByScan } as const

/** The second half of a list is read from its end. */
async function pageOfAll(db: DbOrTx, top: DownlineFigures, listing: Listing): Promise<bigint[]> {
  const { offset } = listing.stretch
  if (offset >= top.members) return []
  if (offset <= top.members / 2) return stretchOfAll(db, top, listing)
  const stretch = fromTheEnd(listing.stretch, top.members)
  return (await stretchOfAll(db, top, { ...listing, stretch })).reverse()
}

/** The same stretch of a list of that length, seen from its other end. */
function fromTheEnd({ offset, limit, sort_order }: Stretch, length: number): Stretch {
  const left = length - offset
  return {
    offset: Math.max(0, left - limit),
    limit: Math.min(limit, left),
    sort_order: sort_order === 'asc' ? 'desc' : 'asc',
  }
}

/** Takes the way that costs least for a downline of this size, among so many users. */
async function stretchOfAll(db: DbOrTx, top: DownlineFigures, listing: Listing): Promise<bigint[]> {
  const { sort, stretch } = listing
  const { members } = top
  const through = stretch.offset + stretch.limit
  const levels = top.deepest - top.depth
  if (sort === 'level' && stretch.sort_order === 'asc') {
    // At worst every level holds one user.
    const passed = Math.min(through, levels)
    const nearCost = passed * COST.nearLevel + through * COST.nearUser
    const farCost = passed * COST.idLevel + members * COST.id
    const isNear = through <= FIRST_PAGES || nearCost < farCost
    return isNear ? idsByLevel(db, top.userId, stretch) : idsByFarLevel(db, top.userId, stretch)
  }
  if (members <= SMALL) return idsByWalk(db, top, listing)
  const idsCost = members * COST.id + levels * COST.idLevel
  const passed = (through * Number(await highestUserId(db))) / members
  const asked = Math.ceil(passed * PATIENCE)
  if (asked * COST.ask < idsCost) {
    const ids = await idsAmongFirst(db, top, { sort, stretch, asked })
    if (ids.length === stretch.limit) return ids
  }
  if (sort === 'level') {
    const upwards = fromTheEnd(stretch, members)
    return (await idsByFarLevel(db, top.userId, upwards)).reverse()
  }
  const lookCost = sort === 'created_at' ? 0 : passed * COST.look
  return members * COST.row < idsCost + lookCost
    ? idsByWalk(db, top, listing)
    : idsByMembers(db, top, listing)
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
