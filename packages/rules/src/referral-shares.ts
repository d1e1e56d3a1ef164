import { amount, applyRate, type Bps, floorTo, type Usdt } from '@dct/money'

/** Referral rewards are calculated to 6 decimals of USDT, rounded down. */
const MICRO_USDT = 10n ** 12n

/** A user above the payer. `level` is the distance: 1 is the payer's own referrer. */
export type Upline = { userId: bigint; level: number; rateBps: Bps }

export type ReferralKind = 'direct' | 'indirect'

export type ReferralShare = {
  receiverId: bigint
  kind: ReferralKind
  level: number
  /** The share of the fee that this reward is; for an indirect one, the difference between two percentages. */
  rateBps: Bps
  amount: Usdt
}

export type SharedFee = {
  /** The fee that was actually paid, without its energy part. */
  feeUsdt: Usdt
  directRateBps: Bps
  /** The payer's own referrer. */
  referrerId: bigint | undefined
  /** The users above the payer, nearest first. Those without a percentage may be left out. */
  line: readonly Upline[]
}

/**
 * How a paid fee is shared: the payer's referrer gets the direct share; up the line, each user whose percentage exceeds
 * the highest so far gets the difference. Zero shares are left out. The database walks a line by the same rule
 * (`referral_line`), so that the whole line need not be read; tree.test.ts compares the two.
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

/** The name of a referral reward. The wording is fixed; screens have their own. */
export function describeShare(share: { kind: ReferralKind; level: number }): string {
  return share.kind === 'direct' ? 'direct downline reward' : `bonus referral level ${share.level}`
}
