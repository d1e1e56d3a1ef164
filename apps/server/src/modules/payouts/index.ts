export type { BscSenderDeps } from './bsc-deps.ts'
export { createBscSender } from './bsc-sender.ts'
export {
  CRASH_STEPS,
  type CrashPoint,
  type CrashStep,
  crashAt,
  noCrash,
} from './crash-point.ts'
export { createPayout, type NewPayout, type Payout, rewardPayoutKey } from './create-payout.ts'
export type { FinalPayout, OnPayoutFinal } from './finish-payout.ts'
export {
  createHandPaymentLoop,
  type HandPaymentDeps,
  nameHandPayment,
} from './hand-payments.ts'
export { haltPayouts, type PayoutScope } from './hold-payouts.ts'
export {
  isAnythingInFlight,
  type PayoutFacts,
  payoutFacts,
} from './list-payouts.queries.ts'
export { voidPayout } from './manage-payouts.ts'
export { type OpenPayouts, openPayoutTotals } from './open-totals.queries.ts'
export {
  type OnCallDone,
  type OperatorCall,
  type OperatorCallInput,
  requestOperatorCall,
} from './operator-calls.ts'
export type { Chain, PayoutState } from './payouts.tables.ts'
export {
  onRewardPaid,
  onWalletTransfer,
  type RecordDeps,
  type WalletDeps,
} from './record-payment.ts'
export {
  DEVNET_TIMING,
  LIVE_TIMING,
  type SenderDeps,
  type SenderTiming,
} from './sender-deps.ts'
export type { TronContracts } from './tron-readiness.ts'
export { createTronSender, type TronSenderDeps } from './tron-sender.ts'
