export type { BroadcastAnswer } from './broadcast.ts'
export {
  type BlockRef,
  type ChainLog,
  type ChainReader,
  type FinalReceipt,
  fitsFilter,
  type KnownTransaction,
  type LogEntry,
  type LogFilter,
  type Receipt,
} from './chain-reader.ts'
export { combineEvmNodes, combineTronNodes } from './combine-nodes.ts'
export { createEvmClient, type EvmNode } from './evm-client.ts'
export { createTronClient, type TronAccess, type TronNode } from './tron-client.ts'
export {
  createTronHttp,
  type TronExpiryProof,
  type TronHttpClient,
  type TronPermission,
  type TronPrices,
  type TronResources,
} from './tron-http.ts'
