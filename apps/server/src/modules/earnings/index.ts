export { type CapitalDeps, createReleaseLoop } from './capital.ts'
export type { ClaimableEarning, TakenClaimable, UnclaimedSums } from './claimable.ts'
export {
  closeOpenFee,
  feeUntil,
  listClaimable,
  restoreClaimable,
  takeClaimable,
  takePaidCycles,
  unclaimedSums,
} from './claimable.ts'
export { dailyRun } from './distribution/distribution.queries.ts'
export {
  createAvailabilityLoop,
  createDistributor,
  type DistributorDeps,
} from './distribution/distributor.ts'
export { exemptHolder } from './distribution/exemptions.queries.ts'
export { createSettleLoop } from './distribution/settle-ended.ts'
export { createEarningMessages } from './earning-messages.ts'
export type { EarningsViews } from './earnings.tables.ts'
export { hasUnfinished } from './has-unfinished.ts'
export { isFollowing } from './joining/announced-joins.queries.ts'
export { adoptEarnings, type BookStakeDeps, bookStakingEvent } from './joining/book-stake.ts'
export { type CheckJoinsDeps, createJoinChecker } from './joining/check-joins.ts'
export { type CycleRow, readCycles } from './lists/earning-cycles.queries.ts'
export { type EarningTotals, earningTotals, stakesOfPlans } from './lists/earning-stats.queries.ts'
