import { amount, type Dct } from '@dct/money'
import type { DbOrTx, ReadDb } from '../../../platform/database/db.ts'
import { Refusal } from '../../../platform/errors.ts'
import { offsetOf, type Paging } from '../../../platform/http/lists.ts'
import {
  type DownlineFigures,
  directCounts,
  downlineFigures,
  lockedOf,
} from './downline-figures.queries.ts'
import {
  countByWalk,
  countDirects,
  directIds,
  idsByFigure,
  idsByWalk,
  idsFitting,
  idsInOrder,
  type Listing,
  type NodeSort,
  nodesOf,
  orderedDirects,
  type Stretch,
} from './downline-list.queries.ts'
import { commonIds, type IdSet, idsOf, idsWithout, type Span } from './id-set.ts'
import { type NodeSearch, readNodeSearch } from './node-search.ts'
import type { TreeCache, TreeNow } from './tree-cache.ts'

export type ListDeps = { db: DbOrTx; tree: TreeCache }
export type ListedNode = {
  level: number
  address: Buffer
  referralCode: string
  createdAt: Date
  locked: Dct
  referrals: number
}
export type NodePage = { nodes: ListedNode[]; total: number }

type NodeQuery<S> = Paging & {
  search?: string | undefined
  sort_by: S
  sort_order: 'asc' | 'desc'
}

/** Downlines up to this size are walked in the database; larger ones in the memory of this process. */
const SMALL = 2_000

/** One page of a user's whole downline. Its cost does not depend on the depth or width of the tree. */
export async function listDownline(
  { db, tree }: ListDeps,
  userId: bigint,
  query: NodeQuery<Listing['sort']>,
): Promise<NodePage> {
  const top = await figuresOf(db, userId)
  const listing = readListing(query)
  const { search } = listing
  if (search.kind === 'nobody') return { nodes: [], total: 0 }
  if (top.members > SMALL) {
    const now = await tree.read(db)
    return pageOfMany({ db, now, top }, now.downlineOf(Number(userId)), listing)
  }
  const ids = await idsByWalk(db, userId, listing)
  const total = search.kind === 'some' ? await countByWalk(db, userId, search) : top.members
  return { nodes: await describeNodes(db, ids, top.depth), total }
}

/** One page of the direct referrals of a user. */
export async function listDirects(
  { db, tree }: ListDeps,
  userId: bigint,
  query: NodeQuery<NodeSort>,
): Promise<NodePage> {
  const top = await figuresOf(db, userId)
  const listing = readListing(query)
  const { search } = listing
  if (search.kind === 'nobody') return { nodes: [], total: 0 }
  if (top.directs > SMALL) {
    const now = await tree.read(db)
    return pageOfMany({ db, now, top }, now.directsOf(Number(userId)), listing)
  }
  const ids = await directIds(db, userId, listing)
  const total = search.kind === 'some' ? await countDirects(db, userId, search) : top.directs
  return { nodes: await describeNodes(db, ids, top.depth), total }
}

function readListing<S>(query: NodeQuery<S>) {
  const stretch = { offset: offsetOf(query), limit: query.limit, sort_order: query.sort_order }
  return { search: readNodeSearch(query.search), sort: query.sort_by, stretch }
}

type Sources = { db: DbOrTx; now: TreeNow; top: DownlineFigures }

async function pageOfMany(
  sources: Sources,
  all: IdSet,
  { search, sort, stretch }: { search: NodeSearch; sort: NodeSort; stretch: Stretch },
): Promise<NodePage> {
  const { db, top } = sources
  const found = search.kind === 'some' ? commonIds(all, await idsFitting(db, search)) : all
  const ids = await partOf(sources, found, { sort, span: spanOf(stretch, found.size) })
  if (stretch.sort_order === 'desc') ids.reverse()
  return { nodes: await describeNodes(db, ids, top.depth), total: found.size }
}

/** The ascending positions of a page: a descending page is counted from the other end. */
function spanOf({ offset, limit, sort_order }: Stretch, size: number): Span {
  const [from, end] = [Math.min(offset, size), Math.min(offset + limit, size)]
  return sort_order === 'asc' ? { from, end } : { from: size - end, end: size - from }
}

async function partOf(
  { db, now }: Sources,
  set: IdSet,
  { sort, span }: { sort: NodeSort; span: Span },
): Promise<bigint[]> {
  if (span.from === span.end) return []
  switch (sort) {
    case 'created_at':
      return idsOf(set, span).map(BigInt)
    case 'level':
      return now.byLevel(set, span).map(BigInt)
    case 'tron_address':
    case 'referral_code':
      return idsInOrder(db, set, { sort, span })
    case 'total_locked_amount':
    case 'total_referrals': {
      const ranked = await idsByFigure(db, set, sort)
      const others = idsWithout(set, commonIds(set, ranked))
      return others.concat(Array.from(ranked)).slice(span.from, span.end).map(BigInt)
    }
  }
}

/** All direct referrals of a user, in order: the query, and a function that describes its rows. */
export async function allDirects(
  db: ReadDb,
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
    describe: (tx: ReadDb, rows: readonly { id: bigint }[]) =>
      describeNodes(
        tx,
        rows.map(({ id }) => id),
        depth,
      ),
  }
}

async function figuresOf(db: ReadDb, userId: bigint): Promise<DownlineFigures> {
  const figures = (await downlineFigures(db, [userId])).get(userId)
  if (figures === undefined) throw new Refusal('NOT_FOUND')
  return figures
}

async function describeNodes(
  db: ReadDb,
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
