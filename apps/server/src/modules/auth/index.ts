export { ensureAdmins, removeUser, setRole } from './admins.ts'
export type { AppUserTable, AuthViews } from './auth.tables.ts'
export type { Site } from './challenge-text.ts'
export type { PrepareReferralClaim, ReferralClaimTerms } from './create-challenge.ts'
export {
  type DescribeUsersDeps,
  describeUsers,
  type ReadReferralTotals,
  type ReferralTotals,
} from './describe-users.ts'
export { findNamedUser } from './find-named-user.ts'
export {
  type ClaimedProof,
  type ProofDeps,
  proveReferralClaim,
  type SignedReferralClaim,
} from './prove-challenge.ts'
export { type Attempt, countAttempt } from './rate-limit.ts'
export { readTronAddress } from './read-address.ts'
export { EMAIL_REFUSALS } from './read-applicant.ts'
export type { OnRegistered } from './register.ts'
export { createSessionCache, SESSION_ENDED } from './session-cache.ts'
export { deleteAllSessions } from './sessions.queries.ts'
export { createStepUpGuard, type StepUpGuard } from './step-up.ts'
export {
  addressesOf,
  eraseEmail,
  erasePerson,
  findUserByAddress,
  getUser,
  hasOtherAdmin,
  lockReferralRate,
  type UserRecord,
  updateReferralRate,
} from './users.queries.ts'
