export { type CallOutcome, decodeRevert, encodeCall } from '../chains/calls.ts'
export {
  type AllowedCalls,
  CallNotAllowed,
  restrictEvmSigner,
  restrictTronSigner,
  selectorsOf,
} from './allowed-calls.ts'
export { type EvmSigner, evmSigner, type SignedEvmCall } from './evm-signer.ts'
export { type SignedTronCall, type TronAnchor, type TronSigner, tronSigner } from './tron-signer.ts'
