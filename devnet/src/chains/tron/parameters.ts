/** Prices (in sun) and limits of the development chain: those of Tron's main network. */
export const ENERGY_PRICE = 100
export const BANDWIDTH_PRICE = 1_000
export const FREE_BANDWIDTH = 600
/** Charged in addition to a transaction's own bytes: room for its result. */
export const RESULT_BYTES = 64
/** The slot length by which bandwidth counts time, and the slots until used bandwidth has recovered: a day. */
export const SLOT_MS = 3_000
export const WINDOW_SLOTS = 28_800
export const MAX_FEE_LIMIT = 15_000_000_000
/** For the first transfer to an account: the fee for the account, and the fixed price of its bandwidth. */
export const NEW_ACCOUNT_FEE = 1_000_000
export const NEW_ACCOUNT_NET_FEE = 100_000
/** Charged for a transaction with a memo. */
export const MEMO_FEE = 1_000_000
export const MAX_TRANSACTION_BYTES = 500 * 1024
export const MAX_EXPIRATION_MS = 86_400_000
export const DEFAULT_EXPIRATION_MS = 60_000
export const CODE_BYTE_ENERGY = 200
/** The block producer's account; nobody has its key. */
export const WITNESS_ADDRESS = '41e552f6487585c2b58bc2c9bb4492bc1f17132cd0'
export const JAVA_TRON_VERSION = '4.8.2'
