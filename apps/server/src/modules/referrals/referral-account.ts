import type { ReferralKind, ReferralShare } from '@dct/rules/referral-shares'
import { type Account, account, type Transfer } from '../ledger/index.ts'

/** The ledger account of a user's earned and unclaimed rewards of one kind. */
export function referralAccount(owner: { userId: bigint; kind: ReferralKind }): Account {
  return owner.kind === 'direct'
    ? account.referralDirect(owner.userId)
    : account.referralIndirect(owner.userId)
}

/** The transfer that books a share of a fee. */
export function creditTransfer(share: ReferralShare, fee: { feeId: bigint; at: Date }): Transfer {
  const { receiverId, kind, amount } = share
  return {
    debit: account.incomeFee,
    credit: referralAccount({ userId: receiverId, kind }),
    asset: 'USDT',
    amount,
    kind: `referral.${kind}`,
    ref: `${fee.feeId}:${receiverId}`,
    at: fee.at,
  }
}

type ClaimFacts = { id: bigint; user_id: bigint; kind: ReferralKind; amount: bigint }

/** The transfer that books a new claim, or the reversal of a declined one. */
export function claimTransfer(
  claim: ClaimFacts,
  step: { direction: 'made' | 'declined'; at: Date },
): Transfer {
  const own = referralAccount({ userId: claim.user_id, kind: claim.kind })
  const held = account.referralClaim(claim.id)
  const sides =
    step.direction === 'made' ? { debit: own, credit: held } : { debit: held, credit: own }
  return { ...sides, ...bookingOf(claim, step) }
}

/** The transfer that books the payout of an approved claim, or its reversal if the payout was ended. */
export function payoutTransfer(
  claim: ClaimFacts,
  step: { direction: 'approved' | 'returned'; payoutId: bigint; at: Date },
): Transfer {
  const payout = account.payout(step.payoutId)
  const sides =
    step.direction === 'approved'
      ? { debit: account.referralClaim(claim.id), credit: payout }
      : { debit: payout, credit: referralAccount({ userId: claim.user_id, kind: claim.kind }) }
  return { ...sides, ...bookingOf(claim, step) }
}

function bookingOf({ id, amount }: ClaimFacts, { direction, at }: { direction: string; at: Date }) {
  return { asset: 'USDT', amount, kind: `referral_claim.${direction}`, ref: `${id}`, at } as const
}
