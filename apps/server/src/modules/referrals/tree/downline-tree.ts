import type { ReadDb } from '../../../platform/database/db.ts'
import { invariant } from '../../../platform/errors.ts'
import { directCounts, downlineFigures } from './downline-figures.queries.ts'
import { nodesOf } from './downline-list.queries.ts'
import { directsOfAll, firstDirects } from './downline-tree.queries.ts'

/** The number of levels that are drawn and counted individually; members on deeper levels are one number. */
const LEVELS = 8
const DRAWN_PER_LEVEL = 12
/** Below a level wider than this, members are no longer counted by level. */
const WIDEST = 2_000

export type DrawnNode = {
  level: number
  /** The index of its referrer in the list; null for direct referrals of the user. */
  parent: number | null
  address: Buffer
  referrals: number
}

/**
 * An overview of a user's downline: its first members, the number of members per level, and the number on deeper
 * levels.
 */
export type DownlineTree = {
  members: number
  /** The number of members on level 1, 2 and so on. */
  levels: number[]
  deeper: number
  nodes: DrawnNode[]
}

/** Reads the overview of a downline. The work is bounded, whatever the size and shape of the tree. */
export async function downlineTree(db: ReadDb, userId: bigint): Promise<DownlineTree> {
  const members = (await downlineFigures(db, [userId])).get(userId)?.members ?? 0
  const levels = await countLevels(db, userId)
  const counted = levels.reduce((sum, count) => sum + count, 0)
  const nodes = await drawNodes(db, userId)
  // A user may have joined between the counts.
  return { members, levels, deeper: Math.max(0, members - counted), nodes }
}

async function countLevels(db: ReadDb, userId: bigint): Promise<number[]> {
  const levels: number[] = []
  let above: readonly bigint[] = [userId]
  while (levels.length < LEVELS) {
    const found = await directsOfAll(db, { of: above, limit: WIDEST + 1 })
    if (found.length === 0) return levels
    if (found.length > WIDEST) return [...levels, await sumOfDirects(db, above)]
    levels.push(found.length)
    above = found
  }
  return levels
}

async function sumOfDirects(db: ReadDb, userIds: readonly bigint[]): Promise<number> {
  const counts = await directCounts(db, userIds)
  return [...counts.values()].reduce((sum, own) => sum + own, 0)
}

async function drawNodes(db: ReadDb, userId: bigint): Promise<DrawnNode[]> {
  const drawn: { id: bigint; level: number; parent: number | null }[] = []
  let above = new Map<bigint, number | null>([[userId, null]])
  for (let level = 1; level <= LEVELS && above.size > 0; level += 1) {
    const found = await firstDirects(db, { of: [...above.keys()], limit: DRAWN_PER_LEVEL })
    const places = new Map<bigint, number>()
    for (const { id, referrerId } of found) {
      places.set(id, drawn.length)
      drawn.push({ id, level, parent: above.get(referrerId) ?? null })
    }
    above = places
  }
  const ids = drawn.map(({ id }) => id)
  const [people, counts] = await Promise.all([nodesOf(db, ids), directCounts(db, ids)])
  const addresses = new Map(people.map(({ id, address }) => [id, address]))
  return drawn.map(({ id, level, parent }) => {
    const address = addresses.get(id)
    invariant(address !== undefined, `user ${id} of the tree does not exist`)
    return { level, parent, address, referrals: counts.get(id) ?? 0 }
  })
}
