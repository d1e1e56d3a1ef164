import { getUser } from '../auth/index.ts'
import { countOpenFees } from './claim-lists.queries.ts'
import { type ClaimRuleDeps, countClaimable } from './claimable-rewards.ts'

/** The number of actions that await a holder: possible claims and open fees. The pages show the same number. */
export async function countWaiting(deps: ClaimRuleDeps, userId: bigint): Promise<number> {
  const user = await getUser(deps.db, userId)
  if (user === undefined) return 0
  const [claims, fees] = await Promise.all([
    countClaimable(deps, user.address),
    countOpenFees(deps.db, userId),
  ])
  return claims + fees
}
