export {
  type BlockRef,
  CallFailed,
  type ChainLog,
  type ChainReader,
  type FinalReceipt,
  fitsFilter,
  type KnownTransaction,
  type LogEntry,
  type LogFilter,
} from './chain-reader.ts'
export { createEvmReader } from './evm-reader.ts'
export { createQuorumReader } from './quorum-reader.ts'
export { createTronReader, type TronAccess } from './tron-reader.ts'
