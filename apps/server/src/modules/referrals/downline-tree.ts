import type { DbOrTx } from '../../platform/db.ts'
import { directCounts, downlineFigures } from './downline-figures.queries.ts'
import { nodesOf } from './downline-list.queries.ts'
import { directsOfAll, firstDirects } from './downline-tree.queries.ts'

/** So many levels are drawn and counted; what is deeper is one number. */
const LEVELS = 8
const DRAWN_PER_LEVEL = 12
/** Below a level that is wider than this nobody is counted level by level. */
const WIDEST = 2_000

export type DrawnNode = {
  level: number
  /** The place of its referrer in the list; null for the direct referrals of the user. */
  parent: number | null
  address: Buffer
  referrals: number
}

/** A picture of a user's downline: its first members, how many stand on each level, and how many deeper. */
export type DownlineTree = {
  members: number
  /** How many stand on level 1, 2 and so on. */
  levels: number[]
  deeper: number
  nodes: DrawnNode[]
}

/** Draws a downline. What it reads has bounds that no size or shape of the tree moves. */
export async function downlineTree(db: DbOrTx, userId: bigint): Promise<DownlineTree> {
  const members = (await downlineFigures(db, [userId])).get(userId)?.members ?? 0
  const levels = await countLevels(db, userId)
  const counted = levels.reduce((sum, count) => sum + count, 0)
  const nodes = await drawNodes(db, userId)
  // Somebody may have joined between the counts.
  return { members, levels, deeper: Math.max(0, members - counted), nodes }
}

async function countLevels(db: DbOrTx, userId: bigint): Promise<number[]> {
  const levels: number[] = []
  let above: readonly bigint[] = [userId]
  while (levels.length < LEVELS) {
    const count = [...(await directCounts(db, above)).values()].reduce((sum, own) => sum + own, 0)
    if (count === 0) return levels
    levels.push(count)
    if (count > WIDEST) return levels
    above = await directsOfAll(db, above)
  }
  return levels
}

async function drawNodes(db: DbOrTx, userId: bigint): Promise<DrawnNode[]> {
  const nodes: DrawnNode[] = []
  let above = new Map<bigint, number | null>([[userId, null]])
  for (let level = 1; level <= LEVELS && above.size > 0; level += 1) {
    const found = await firstDirects(db, { of: [...above.keys()], limit: DRAWN_PER_LEVEL })
    const ids = found.map(({ id }) => id)
    const [people, counts] = await Promise.all([nodesOf(db, ids), directCounts(db, ids)])
    const byId = new Map(people.map((person) => [person.id, person]))
    const drawn = new Map<bigint, number | null>()
    for (const { id, referrerId } of found) {
      const address = byId.get(id)?.address
      if (address === undefined) continue
      drawn.set(id, nodes.length)
      const parent = above.get(referrerId) ?? null
      nodes.push({ level, parent, address, referrals: counts.get(id) ?? 0 })
    }
    above = drawn
  }
  return nodes
}
