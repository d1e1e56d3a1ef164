import type { ReferralTreeReply } from '@dct/api-contract/referrals'

type Node = ReferralTreeReply['nodes'][number]
/** A member's position: the level from the top, and how far to the right, from 0 to 1. */
export type PlacedNode = Node & { across: number; from: { across: number; level: number } }

const TOP = { across: 0.5, level: 0 }

/** Places every member on their level, in the order of the members above, so that no lines cross. */
export function placeNodes(nodes: readonly Node[]): PlacedNode[] {
  const places = new Map<number, PlacedNode>()
  const above = (node: Node) => (node.parent === null ? undefined : places.get(node.parent)) ?? TOP
  const byLevel = Map.groupBy(
    nodes.map((node, index) => ({ node, index })),
    ({ node }) => node.level,
  )
  for (const level of [...byLevel.keys()].toSorted((a, b) => a - b)) {
    const row = byLevel.get(level) ?? []
    const ordered = row.toSorted((a, b) => above(a.node).across - above(b.node).across)
    for (const [at, { node, index }] of ordered.entries()) {
      const { across, level: levelAbove } = above(node)
      const from = { across, level: levelAbove }
      places.set(index, { ...node, across: (at + 0.5) / ordered.length, from })
    }
  }
  return [...places.values()]
}
