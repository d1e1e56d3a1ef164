export { awaitedFees } from './awaited-fees.queries.ts'
export { chargePaidCycles } from './charge-paid-cycles.ts'
export { createHintChecker } from './check-hints.ts'
export {
  type CaseClaim,
  codesOfClaims,
  findCaseClaim,
  findCaseClaimById,
  hintOfClaim,
  paymentsOfClaim,
} from './claim-case.queries.ts'
export { countWaiting } from './count-waiting.ts'
export { energyFeesSince } from './energy-fees.queries.ts'
export { onClaimPayoutFinal, onClaimPayoutUndone } from './on-payout-final.ts'
export type { CreditReferrals } from './settle-fee.ts'
export { requireReturnDue } from './unmatched-payments.ts'
export { onUsdtTransfer, type UsdtDeps } from './usdt-transfers.ts'
