import { getUser } from '../auth/index.ts'
import { countOpenFees } from './claim-lists.queries.ts'
import { type ClaimRuleDeps, countClaimable } from './claimable-rewards.ts'

/** How many things wait for a holder: the claims that are possible and the fees that are due. The pages count the same. */
export async function countWaiting(deps: ClaimRuleDeps, userId: bigint): Promise<number> {
  const user = await getUser(deps.db, userId)
  if (user === undefined) return 0
  const [claims, fees] = await Promise.all([
    countClaimable(deps, user.address),
    countOpenFees(deps.db, userId),
  ])
  return claims + fees
}
