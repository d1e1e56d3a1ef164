import { createNodeGroup, createNodeStanding, type NodeAccess } from '@dct/chain-clients'
import { createEvmNode, createEvmRpc, type EvmNode } from '@dct/chain-clients/senders/index'

/** Sends through a single node. */
export function evmNodeAt(access: NodeAccess): EvmNode {
  const standing = createNodeStanding(new URL(access.url).host)
  return createEvmNode(createNodeGroup([{ standing, client: createEvmRpc(access) }]))
}
