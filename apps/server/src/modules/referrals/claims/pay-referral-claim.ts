import type { RecordAdminAction } from '../../../platform/database/admin-actions.ts'
import { Refusal } from '../../../platform/errors.ts'
import { type ManualPaymentDeps, submitManualPayment } from '../../payouts/index.ts'
import { findClaim } from './referral-claims.queries.ts'

export type PayClaimDeps = Omit<ManualPaymentDeps, 'onFinal'> & {
  /** Called for every final payment of a payout. */
  onPayoutFinal: ManualPaymentDeps['onFinal']
  recordAdminAction: RecordAdminAction
}

/**
 * Accepts the transaction by which an admin paid an approved claim from a separate wallet.
 * @returns whether it is verified and the claim paid; false while the transaction is not final
 * @throws Refusal `REFERRAL_CLAIM_NOT_FOUND`, `REFERRAL_CLAIM_NOT_APPROVED`, and those of `submitManualPayment`
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
  return submitManualPayment({ ...deps, onFinal: onPayoutFinal }, payment, (tx) =>
    deps.recordAdminAction(tx, {
      adminId,
      action: 'referral_claim.pay_manually',
      subject: `${claimId}`,
      before: null,
      after: { tx_hash: txHash.trim().toLowerCase() },
      at: deps.clock.now(),
    }),
  )
}
