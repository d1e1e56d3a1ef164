import type { RecordAdminAction } from '../../platform/admin-actions.ts'
import { Refusal } from '../../platform/errors.ts'
import { type HandPaymentDeps, nameHandPayment } from '../payouts/index.ts'
import { findClaim } from './referral-claims.queries.ts'

export type PayClaimDeps = Omit<HandPaymentDeps, 'onFinal'> & {
  /** What every payment of a payout tells. */
  onPayoutFinal: HandPaymentDeps['onFinal']
  recordAdminAction: RecordAdminAction
}

/**
 * Takes the transaction by which an admin paid an approved claim from a wallet of their own.
 * @returns whether it is verified and the claim paid; false while the transaction is not final
 * @throws Refusal `REFERRAL_CLAIM_NOT_FOUND`, `REFERRAL_CLAIM_NOT_APPROVED`, and those of `nameHandPayment`
 */
export async function payReferralClaim(
  { onPayoutFinal, ...deps }: PayClaimDeps,
  input: { claimId: bigint; adminId: bigint; txHash: string },
): Promise<boolean> {
  const { claimId, adminId, txHash } = input
  const claim = await findClaim(deps.db, claimId)
  if (claim === undefined) throw new Refusal('REFERRAL_CLAIM_NOT_FOUND')
  if (claim.payout_id === null) throw new Refusal('REFERRAL_CLAIM_NOT_APPROVED')
  const payment = { payoutId: claim.payout_id, txHash, adminId }
  return nameHandPayment({ ...deps, onFinal: onPayoutFinal }, payment, (tx) =>
    deps.recordAdminAction(tx, {
      adminId,
      action: 'referral_claim.pay_by_hand',
      subject: `${claimId}`,
      before: null,
      after: { tx_hash: txHash.trim().toLowerCase() },
      at: deps.clock.now(),
    }),
  )
}
