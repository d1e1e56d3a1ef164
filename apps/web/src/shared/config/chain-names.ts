/** The chains as people write them. */
export const CHAIN_NAMES = { TRON: 'Tron', BSC: 'BSC' } as const
