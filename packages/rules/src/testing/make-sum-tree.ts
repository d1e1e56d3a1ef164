import { NOTHING, parentOf, type SumNode } from '../sum-tree.ts'

/** All levels of the tree, from the leaves to the root, as the service's SQL makes it. */
export function makeSumTree(leaves: readonly SumNode[]): SumNode[][] {
  let level = leaves.length === 0 ? [NOTHING] : [...leaves]
  const levels = [level]
  while (level.length > 1) {
    const children = level
    level = Array.from({ length: Math.ceil(children.length / 2) }, (_, at) =>
      parentOf(children[2 * at] ?? NOTHING, children[2 * at + 1] ?? NOTHING),
    )
    levels.push(level)
  }
  return levels
}
