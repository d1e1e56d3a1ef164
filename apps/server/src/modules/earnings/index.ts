export { adoptEarnings, type BookStakeDeps, bookStakingEvent } from './book-stake.ts'
export { type CapitalDeps, createReleaseLoop } from './capital.ts'
export { type CheckJoinsDeps, createJoinChecker } from './check-joins.ts'
export type { ClaimableEarning, ClaimMark, TakenClaimable } from './claimable.ts'
export {
  closeOpenFee,
  listClaimable,
  restoreClaimable,
  takeClaimable,
} from './claimable.ts'
export { createAvailabilityLoop, createDistributor, type DistributorDeps } from './distributor.ts'
export { type CycleRow, readCycles } from './earning-cycles.queries.ts'
export { type EarningTotals, earningTotals } from './earning-stats.queries.ts'
export { excuseHolder } from './excuses.queries.ts'
export { createSettleLoop } from './settle-ended.ts'
export { isFollowing } from './submissions.queries.ts'
