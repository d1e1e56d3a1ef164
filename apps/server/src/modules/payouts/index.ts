export type { AccountKey } from './accounts.queries.ts'
export { type BookDeps, type Charge, chargeAdvance } from './book-payment.ts'
export type { BscSenderDeps } from './bsc/bsc-deps.ts'
export { createBscSender } from './bsc/bsc-sender.ts'
export type { SignedClaim } from './bsc/vault-call.ts'
export { hasLeftVault, onVaultEvent, onVaultFilled } from './bsc/vault-events.ts'
export {
  type CrashPoint,
  type CrashStep,
  crashAt,
  noCrash,
} from './crash-point.ts'
export { createPayout, lastPayoutTo, type NewPayout, type Payout } from './create-payout.ts'
export { readFinalReceipt } from './final-receipt.ts'
export type { FinalPayout, OnPayoutFinal } from './finish-payout.ts'
export { haltPayouts, type PayoutScope } from './hold-payouts.ts'
export {
  isAnythingInFlight,
  type PayoutFacts,
  payoutFacts,
  payoutsOfCauses,
} from './list-payouts.queries.ts'
export { voidPayout } from './manage-payouts.ts'
export {
  type OpenPayouts,
  openPayoutTotals,
  payoutBacklog,
} from './open-totals.queries.ts'
export {
  type OnCallDone,
  type OperatorCall,
  type OperatorCallInput,
  requestOperatorCall,
} from './operator-calls.ts'
export { readTransfers } from './payment-logs.ts'
export type { Chain, PayoutState } from './payouts.tables.ts'
export { onRewardPaid } from './record-payment.ts'
export {
  DEVNET_TIMING,
  LIVE_TIMING,
  type SenderDeps,
  type SenderTiming,
} from './sender-deps.ts'
export { type SpentFees, spentFees } from './transaction-fees.queries.ts'
export { createTransactionFeeLoop } from './transaction-fees.ts'
export type { TronContracts } from './tron/tron-readiness.ts'
export { createTronSender, type TronSenderDeps } from './tron/tron-sender.ts'
export { undoEvent } from './undo-event.ts'
export type { UndoDeps } from './undo-payment.ts'
