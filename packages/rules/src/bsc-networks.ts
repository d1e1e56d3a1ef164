/** What `eth_chainId` returns on the networks of BSC. */
export const BSC_CHAIN_IDS = { mainnet: 56, testnet: 97 } as const
