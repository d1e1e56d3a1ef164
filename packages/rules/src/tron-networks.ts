/** The public Tron networks by the number that `eth_chainId` returns: the last four bytes of the genesis block's id. */
export const TRON_CHAIN_IDS = {
  mainnet: 728_126_428,
  nile: 3_448_148_188,
  shasta: 2_494_104_990,
} as const

/**
 * The ids of their first blocks: a private network can choose any chain id, but cannot have another network's first
 * block.
 */
export const TRON_GENESIS = {
  mainnet: '0x00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
  nile: '0x0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc',
  shasta: '0x0000000000000000de1aa88295e1fcf982742f773e0419c5a9c134c994a9059e',
} as const satisfies Record<keyof typeof TRON_CHAIN_IDS, `0x${string}`>

export type PublicTronNetwork = keyof typeof TRON_CHAIN_IDS
