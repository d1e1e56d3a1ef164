export { NodeUnavailable } from '../senders/node-http.ts'
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
export { createQuorumReader, NodesDisagree } from './quorum-reader.ts'
export { createTronReader, type TronReaderOptions } from './tron-reader.ts'
