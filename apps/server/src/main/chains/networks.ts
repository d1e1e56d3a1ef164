import type { ChainReader } from '@dct/chain-clients'
import { BSC_CHAIN_IDS } from '@dct/rules/bsc-networks'
import { TRON_GENESIS } from '@dct/rules/tron-networks'
import type { Hex } from 'viem'
import type { Config } from '../config.ts'

/** The network that the nodes of a chain must belong to. */
export type Network = {
  /** The setting that names the nodes. */
  setting: string
  chainId: number
  /** The hash of the first block; undefined on trial networks, each of which has a different one. */
  genesis: Hex | undefined
}

const BSC_MAINNET = {
  chainId: BSC_CHAIN_IDS.mainnet,
  genesis: '0x0d21840abff46b96c84b2ac9e10e4f5cdaeb5693cb665db62a2f3b02d2d57b5b',
} as const

export function networksOf({ tron, bsc }: Pick<Config, 'tron' | 'bsc'>): {
  tron: Network
  bsc: Network
} {
  const genesis: Partial<Record<string, Hex>> = TRON_GENESIS
  const isMainnet = bsc.chainId === BSC_MAINNET.chainId
  return {
    tron: { setting: 'TRON_FULL_HOST', chainId: tron.chainId, genesis: genesis[tron.network] },
    bsc: {
      ...{ setting: 'BSC_RPC', chainId: bsc.chainId },
      genesis: isMainnet ? BSC_MAINNET.genesis : undefined,
    },
  }
}

/**
 * Describes the node if it is not one of this network, such as `a node of chain 1; …`; undefined if it is. A node that
 * no longer has the first block is judged only by its chain id.
 */
export async function otherNetwork(
  reader: Pick<ChainReader, 'chainId' | 'block'>,
  { chainId, genesis }: Network,
): Promise<string | undefined> {
  const found = await reader.chainId()
  if (found !== chainId) {
    return `a node of chain ${found}; the settings ask for chain ${chainId}`
  }
  if (genesis === undefined) return undefined
  const first = await reader.block(0n)
  if (first === null || first.hash === genesis) return undefined
  return `a node of another network that also calls itself chain ${chainId}; its first block is ${first.hash}`
}
