import type { ReferralKind } from '@dct/rules/referral-shares'
import { bytesOf } from '../../modules/chain/index.ts'
import {
  chargePaidCycles,
  onClaimPayoutFinal,
  onClaimPayoutUndone,
} from '../../modules/claims/index.ts'
import {
  type BookDeps,
  type OnPayoutFinal,
  requestOperatorCall,
  type UndoDeps,
} from '../../modules/payouts/index.ts'
import {
  chargePaidReferral,
  onReferralPayoutFinal,
  onReferralPayoutUndone,
} from '../../modules/referrals/index.ts'
import type { Tx } from '../../platform/database/db.ts'
import { invariant } from '../../platform/errors.ts'

/** Notifies the module that caused a payout when it is paid, whichever part of the service found the payment. */
export const onPayoutFinal: OnPayoutFinal = async (tx, payout) => {
  await onClaimPayoutFinal(tx, payout)
  await onReferralPayoutFinal(tx, payout)
}

/** Notifies the same module when the payment is gone from its chain and the payout open again. */
export const onPayoutUndone: UndoDeps['onUndone'] = async (tx, payout) => {
  await onClaimPayoutUndone(tx, payout)
  await onReferralPayoutUndone(tx, payout)
}

/** Charges what a chain paid in advance to what its receiver is owed. */
export const chargePaid: BookDeps['charge'] = async (tx, { account, most }) => {
  const holder = bytesOf(account.holder)
  return account.chain === 'TRON'
    ? chargePaidCycles(tx, { staker: holder, planCode: account.name, most })
    : chargePaidReferral(tx, { referrer: holder, kind: readKind(account.name), most })
}

function readKind(name: string): ReferralKind {
  invariant(name === 'direct' || name === 'indirect', `${name} is no kind of bonus`)
  return name
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
