import type { ReferralKind, ReferralShare } from '@dct/rules/referral-shares'
import { type Account, account, type Transfer } from '../ledger/index.ts'

/** The ledger account of what a user earned of one kind and has not claimed. */
export function referralAccount(owner: { userId: bigint; kind: ReferralKind }): Account {
  return owner.kind === 'direct'
    ? account.referralDirect(owner.userId)
    : account.referralIndirect(owner.userId)
}

/** How a share of a fee is booked. */
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

/** How a claim is booked when it is made, and how it is undone. */
export function claimTransfer(
  claim: ClaimFacts,
  step: { direction: 'made' | 'declined'; at: Date },
): Transfer {
  const own = referralAccount({ userId: claim.user_id, kind: claim.kind })
  const held = account.referralClaim(claim.id)
  const sides =
    step.direction === 'made' ? { debit: own, credit: held } : { debit: held, credit: own }
  return {
    ...sides,
    asset: 'USDT',
    amount: claim.amount,
    kind: `referral_claim.${step.direction}`,
    ref: `${claim.id}`,
    at: step.at,
  }
}

/** How an approved claim is booked, and how it is undone when its payout was ended. */
export function payoutTransfer(
  claim: ClaimFacts,
  step: { direction: 'approved' | 'returned'; payoutId: bigint; at: Date },
): Transfer {
  const payout = account.payout(step.payoutId)
  const sides =
    step.direction === 'approved'
      ? { debit: account.referralClaim(claim.id), credit: payout }
      : { debit: payout, credit: referralAccount({ userId: claim.user_id, kind: claim.kind }) }
  return {
    ...sides,
    asset: 'USDT',
    amount: claim.amount,
    kind: `referral_claim.${step.direction}`,
    ref: `${claim.id}`,
    at: step.at,
  }
}
