export {
  type AllowedCalls,
  CallNotAllowed,
  restrictEvmSigner,
  restrictTronSigner,
  selectorsOf,
} from './allowed-calls.ts'
export { type CallOutcome, decodeRevert, encodeCall } from './calls.ts'
export { createEvmNode, createEvmRpc, type EvmNode, type EvmRpc } from './evm-node.ts'
export { type EvmSigner, evmSigner, type SignedEvmCall } from './evm-signer.ts'
export type {
  BroadcastAnswer,
  FinalLog,
  FinalStatus,
  TransactionStatus,
} from './final-status.ts'
export {
  createTronNode,
  createTronPost,
  type TronExpiryProof,
  type TronNode,
  type TronPermission,
  type TronPost,
  type TronPrices,
  type TronResources,
  tronNodeAt,
} from './tron-node.ts'
export { type SignedTronCall, type TronAnchor, type TronSigner, tronSigner } from './tron-signer.ts'
