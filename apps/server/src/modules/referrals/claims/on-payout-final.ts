import type { Tx } from '../../../platform/database/db.ts'
import { invariant } from '../../../platform/errors.ts'
import { tellHolders } from '../../notices/index.ts'
import type { FinalPayout } from '../../payouts/index.ts'
import { markPaid, releaseFunds } from './referral-claims.queries.ts'
import { tellReferralClaimPaid } from './tell-referral-claim.ts'

const CAUSE = 'referral-claim:'

/** The cause of a claim's payout. */
export function payoutCauseOf(claimId: bigint): string {
  return `${CAUSE}${claimId}`
}

/** Marks a claim as paid, in the transaction that books its payout. Ignores payouts of other modules. */
export async function onReferralPayoutFinal(tx: Tx, payout: FinalPayout): Promise<void> {
  if (!payout.cause.startsWith(CAUSE)) return
  const claim = await markPaid(tx, {
    payoutId: payout.id,
    txHash: Buffer.from(payout.txHash.slice(2), 'hex'),
    blockNumber: payout.blockNumber,
    at: payout.blockTime,
  })
  invariant(claim !== undefined, `payout ${payout.id} belongs to no approved referral claim`)
  await releaseFunds(tx, claim.amount)
  await tellReferralClaimPaid(tx, claim, { txHash: payout.txHash, at: payout.blockTime })
  await tellHolders(tx, [
    {
      ...{ userId: claim.user_id, kind: 'referral_claim_paid', at: payout.blockTime },
      key: `${payout.txHash}:${claim.id}`,
      facts: { amount: { asset: 'USDT', units: claim.amount }, tx_hash: payout.txHash },
    },
  ])
}
