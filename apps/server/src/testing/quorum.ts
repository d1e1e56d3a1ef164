import {
  combineEvmNodes,
  createNodeGroup,
  createNodeStanding,
  type EvmNode,
} from '@dct/chain-clients'

/** Combines several nodes into one. */
export function quorumOf(...nodes: readonly EvmNode[]): EvmNode {
  return combineEvmNodes(
    createNodeGroup(
      nodes.map((client, at) => ({ client, standing: createNodeStanding(`node-${at}`) })),
    ),
  )
}
