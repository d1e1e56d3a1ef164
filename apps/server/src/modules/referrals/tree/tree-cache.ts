import type { DbOrTx } from '../../../platform/database/db.ts'
import { addId, emptyIds, forEachId, hasId, type IdSet, removeId, type Span } from './id-set.ts'
import { type Places, placesOf, removedIds } from './tree-cache.queries.ts'

/**
 * The whole tree in the memory of this process, 8 bytes per user: for downlines that are too large to walk in the
 * database. A position in the tree never changes, so it is read once; each use then reads only new users.
 */
export type TreeCache = { read(db: DbOrTx): Promise<TreeNow> }

/** The tree at one moment. Ids increase downwards: a referrer always registered earlier. */
export type TreeNow = {
  /** All users below a user. */
  downlineOf(userId: number): IdSet
  directsOf(userId: number): IdSet
  /** The part of a set between two positions, in order of level and id. */
  byLevel(set: IdSet, span: Span): number[]
}

/** Create one per process; it caches the tree of a single database. */
export function createTreeCache(): TreeCache {
  const tree: Tree = { referrers: unknownPlaces(1_024), depths: new Int32Array(1_024), end: 1 }
  /** All ids up to this one are settled: no missing one can still appear. */
  let settled = 0
  /** The same for a higher id, once all transactions before `nextWriter` have ended. */
  let settling: { id: number; nextWriter: bigint } | undefined
  let first: Promise<void> | undefined

  async function readNew(db: DbOrTx): Promise<void> {
    const above = tree.end - 1
    const portions = await placesOf(db, { above, others: unknownIn(tree, settled) })
    addPlaces(tree, portions)
    const { oldestWriter = 0n, nextWriter = 0n } = portions[0] ?? {}
    // A registration writes before it draws its id, so every transaction that holds an id up to `settling.id` started
    // before `nextWriter`.
    if (settling !== undefined && oldestWriter >= settling.nextWriter) {
      settled = Math.max(settled, settling.id)
      settling = undefined
    }
    settling ??= { id: tree.end - 1, nextWriter }
  }

  return {
    async read(db) {
      // Callers during the first read wait for it, and then read only new users.
      const isFirst = first === undefined
      first ??= readNew(db).catch((error: unknown) => {
        first = undefined
        throw error
      })
      await first
      if (!isFirst) await readNew(db)
      const removed = await removedIds(db)
      return {
        downlineOf: (userId) => without(removed, downlineOf(tree, userId)),
        directsOf: (userId) => without(removed, directsOf(tree, userId)),
        byLevel: (set, span) => byLevel(tree, set, span),
      }
    },
  }
}

type Tree = { referrers: Int32Array; depths: Int32Array; end: number }

/** Roots have the referrer 0. */
const UNKNOWN = -1
const unknownPlaces = (room: number) => new Int32Array(room).fill(UNKNOWN)

/** Unknown ids after `after` with known ones above: drawn by transactions that commit later or never. */
function unknownIn({ referrers, end }: Tree, after: number): number[] {
  const ids: number[] = []
  for (let id = after + 1; id < end; id += 1) if (referrers[id] === UNKNOWN) ids.push(id)
  return ids
}

function addPlaces(tree: Tree, portions: readonly Places[]): void {
  let lowest = Number.POSITIVE_INFINITY
  for (const { numbers } of portions) {
    for (let at = 0; at < numbers.length; at += 2) {
      const id = numbers[at] ?? 0
      lowest = Math.min(lowest, id)
      makeRoom(tree, id)
      tree.referrers[id] = numbers[at + 1] ?? 0
      tree.end = Math.max(tree.end, id + 1)
    }
  }
  for (let id = lowest; id < tree.end; id += 1) {
    const referrer = tree.referrers[id] ?? 0
    tree.depths[id] = referrer > 0 ? (tree.depths[referrer] ?? 0) + 1 : 0
  }
}

function makeRoom(tree: Tree, id: number): void {
  if (id < tree.referrers.length) return
  const room = Math.max(id + 1, tree.referrers.length * 2)
  const [referrers, depths] = [unknownPlaces(room), new Int32Array(room)]
  referrers.set(tree.referrers)
  depths.set(tree.depths)
  Object.assign(tree, { referrers, depths })
}

function downlineOf({ referrers, end }: Tree, userId: number): IdSet {
  const set = emptyIds(end)
  for (let id = userId + 1; id < end; id += 1) {
    const referrer = referrers[id] ?? 0
    if (referrer === userId || hasId(set, referrer)) addId(set, id)
  }
  return set
}

function directsOf({ referrers, end }: Tree, userId: number): IdSet {
  const set = emptyIds(end)
  for (let id = userId + 1; id < end; id += 1) if (referrers[id] === userId) addId(set, id)
  return set
}

function without(removed: Int32Array, set: IdSet): IdSet {
  for (const id of removed) removeId(set, id)
  return set
}

/** Counts the levels first, so that only those within the span are collected. */
function byLevel({ depths }: Tree, set: IdSet, { from, end }: Span): number[] {
  const counts: number[] = []
  forEachId(set, (id) => {
    const depth = depths[id] ?? 0
    counts[depth] = (counts[depth] ?? 0) + 1
  })
  const touched: { skip: number; take: number; ids: number[] }[] = []
  let before = 0
  for (const [depth, count = 0] of counts.entries()) {
    const skip = Math.max(0, from - before)
    const take = Math.min(count, end - before) - skip
    if (take > 0) touched[depth] = { skip, take, ids: [] }
    before += count
  }
  forEachId(set, (id) => {
    const level = touched[depths[id] ?? 0]
    if (level === undefined || level.ids.length === level.take) return
    if (level.skip > 0) level.skip -= 1
    else level.ids.push(id)
  })
  return touched.flatMap(({ ids }) => ids)
}
