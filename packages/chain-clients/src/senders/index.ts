export { type CallOutcome, decodeRevert, encodeCall } from './calls.ts'
export { createEvmNode, type EvmNode, type EvmNodeOptions } from './evm-node.ts'
export { type EvmSigner, evmSigner, type SignedEvmCall } from './evm-signer.ts'
export type {
  BroadcastAnswer,
  FinalLog,
  FinalStatus,
  TransactionStatus,
} from './final-status.ts'
export {
  createTronNode,
  type TronDeathProof,
  type TronNode,
  type TronNodeOptions,
  type TronPrices,
  type TronResources,
} from './tron-node.ts'
export { type SignedTronCall, type TronAnchor, type TronSigner, tronSigner } from './tron-signer.ts'
