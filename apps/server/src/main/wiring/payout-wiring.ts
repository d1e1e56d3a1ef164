import { onClaimPayoutFinal } from '../../modules/claims/index.ts'
import { type OnPayoutFinal, requestOperatorCall } from '../../modules/payouts/index.ts'
import { onReferralPayoutFinal } from '../../modules/referrals/index.ts'
import type { Tx } from '../../platform/database/db.ts'

/** Notifies the module that caused a payout when it is paid, whichever part of the service found the payment. */
export const onPayoutFinal: OnPayoutFinal = async (tx, payout) => {
  await onClaimPayoutFinal(tx, payout)
  await onReferralPayoutFinal(tx, payout)
}

/** Requests the release of a stake's capital, once per stake. */
export async function requestRelease(
  tx: Tx,
  { stakeId, at }: { stakeId: bigint; at: Date },
): Promise<void> {
  await requestOperatorCall(tx, {
    cause: `release:${stakeId}`,
    call: { kind: 'release', stakeId },
    at,
  })
}
