import { amount, applyRate, type Bps, floorTo, type Usdt } from '@dct/money'

/** Referral rewards are worked out to 6 decimals of a USDT, rounded down. */
const MICRO_USDT = 10n ** 12n

/** Somebody above the payer. `level` is the distance: 1 is the payer's own referrer. */
export type Upline = { userId: bigint; level: number; rateBps: Bps }

export type ReferralKind = 'direct' | 'indirect'

export type ReferralShare = {
  receiverId: bigint
  kind: ReferralKind
  level: number
  /** The share of the fee that this credit is: for an indirect one the difference of two percentages. */
  rateBps: Bps
  amount: Usdt
}

export type SharedFee = {
  /** The fee that was really paid, without its energy part. */
  feeUsdt: Usdt
  directRateBps: Bps
  /** The payer's own referrer. */
  referrerId: bigint | undefined
  /** Those above the payer, nearest first. Who has no percentage may be left out. */
  line: readonly Upline[]
}

/**
 * Who gets how much of a paid fee: the payer's referrer the direct share, and up the line everybody
 * whose percentage is above the highest met so far the difference to it. Shares of nothing are left out.
 */
export function referralShares(fee: SharedFee): ReferralShare[] {
  const { referrerId, directRateBps } = fee
  const direct = { receiverId: referrerId ?? 0n, kind: 'direct', level: 1 } as const
  const shares: Omit<ReferralShare, 'amount'>[] =
    referrerId === undefined ? [] : [{ ...direct, rateBps: directRateBps }]
  let highest = 0n
  for (const { userId, level, rateBps } of fee.line) {
    if (rateBps <= highest) continue
    shares.push({ receiverId: userId, kind: 'indirect', level, rateBps: rateBps - highest })
    highest = rateBps
  }
  return shares
    .map((share) => ({ ...share, amount: shareOf(fee.feeUsdt, share.rateBps) }))
    .filter((share) => share.amount > 0n)
}

function shareOf(feeUsdt: Usdt, rateBps: Bps): Usdt {
  return amount('USDT', floorTo(applyRate(feeUsdt, rateBps, 'down'), MICRO_USDT))
}

/** How a referral reward is named: the wording is fixed, screens rename it. */
export function describeShare(share: { kind: ReferralKind; level: number }): string {
  return share.kind === 'direct' ? 'direct downline reward' : `bonus referral level ${share.level}`
}
