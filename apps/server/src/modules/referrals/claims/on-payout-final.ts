import type { Tx } from '../../../platform/database/db.ts'
import { invariant } from '../../../platform/errors.ts'
import { bytesOf } from '../../chain/index.ts'
import { messageHolders } from '../../messages/index.ts'
import type { FinalPayout, Payout } from '../../payouts/index.ts'
import { readPaidCause } from './charge-paid.ts'
import {
  type ClaimRecord,
  insertPaidClaim,
  markPaid,
  markUnpaid,
  releaseFunds,
} from './referral-claims.queries.ts'
import { reportReferralClaimPaid } from './report-referral-claim.ts'

const CAUSE = 'referral-claim:'

/** The cause of a claim's payout. */
export function payoutCauseOf(claimId: bigint): string {
  return `${CAUSE}${claimId}`
}

/**
 * Marks a claim as paid, in the transaction that books its payout. A payment that the vault made without a claim in the
 * books becomes a paid claim of its own. Ignores payouts of other modules.
 */
export async function onReferralPayoutFinal(tx: Tx, payout: FinalPayout): Promise<void> {
  const claim = await endPaidClaim(tx, payout)
  if (claim === undefined) return
  await reportReferralClaimPaid(tx, claim, { txHash: payout.txHash, at: payout.blockTime })
  await messageHolders(tx, [
    {
      ...{ userId: claim.user_id, kind: 'referral_claim_paid', at: payout.blockTime },
      key: `${payout.txHash}:${claim.id}`,
      facts: { amount: { asset: 'USDT', units: claim.amount }, tx_hash: payout.txHash },
    },
  ])
}

async function endPaidClaim(tx: Tx, payout: FinalPayout): Promise<ClaimRecord | undefined> {
  const { id: payoutId, blockNumber, blockTime: at } = payout
  const paid = { payoutId, txHash: bytesOf(payout.txHash), blockNumber, at }
  const unclaimed = readPaidCause(payout.cause)
  if (unclaimed === undefined && !payout.cause.startsWith(CAUSE)) return undefined
  const claim = await markPaid(tx, paid)
  if (claim !== undefined) {
    await releaseFunds(tx, claim.amount)
    return claim
  }
  invariant(unclaimed !== undefined, `payout ${payoutId} belongs to no approved referral claim`)
  const { amount, to } = payout
  return insertPaidClaim(tx, { ...unclaimed, ...paid, amount, usdtAddress: bytesOf(to) })
}

/**
 * Makes a paid claim approved again whose payment is gone from the chain. Ignores payouts of other modules. One that
 * nobody signed, because the vault had paid it before these books knew of it, can only be returned.
 */
export async function onReferralPayoutUndone(tx: Tx, { id }: Pick<Payout, 'id'>): Promise<void> {
  const claim = await markUnpaid(tx, id)
  if (claim !== undefined) await releaseFunds(tx, -claim.amount)
}
