/** The chains' display names. */
export const CHAIN_NAMES = { TRON: 'Tron', BSC: 'BSC' } as const
