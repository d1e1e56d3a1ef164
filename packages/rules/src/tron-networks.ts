/** The public Tron networks by the number that `eth_chainId` returns: the last four bytes of the genesis block's id. */
export const TRON_CHAIN_IDS = {
  mainnet: 728_126_428,
  nile: 3_448_148_188,
  shasta: 2_494_104_990,
} as const

export type PublicTronNetwork = keyof typeof TRON_CHAIN_IDS
