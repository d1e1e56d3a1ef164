import type { Bps, Usdt } from '@dct/money'
import { type ReferralShare, referralShares } from '@dct/rules/referral-shares'
import type { Tx } from '../../../platform/database/db.ts'
import { invariant } from '../../../platform/errors.ts'
import type { Transfer } from '../../ledger/index.ts'
import { messageHolders } from '../../messages/index.ts'
import { creditTransfer } from '../referral-account.ts'
import { insertRewards, lineAbove } from './rewards.queries.ts'

export type PaidFee = {
  /** A fee is credited only once. */
  feeId: bigint
  payerUserId: bigint
  /** The paid fee itself, without energy, rounding and tail. */
  feeUsdt: Usdt
  planCode: string
  at: Date
}

/**
 * Credits the payer's referrer and line with their shares of a fee, in the transaction that settles it. Uses the
 * current percentages and stores them with the rewards. Crediting a fee again changes nothing.
 * @returns the transfers to book; the settlement posts them together with its own in one call, which locks accounts in
 * a single order
 */
export async function creditFee(
  { directRateBps }: { directRateBps: Bps },
  tx: Tx,
  fee: PaidFee,
): Promise<Transfer[]> {
  const payer = await lineAbove(tx, fee.payerUserId)
  invariant(
    payer !== undefined,
    `the payer ${fee.payerUserId} of fee ${fee.feeId} is not in the tree`,
  )
  const { referrerId, line } = payer
  const shares = referralShares({ feeUsdt: fee.feeUsdt, directRateBps, referrerId, line })
  const credited = { ...fee, fromAddress: payer.address }
  // Announced first, because the receivers' rows are locked from here on, and many transactions may wait for one
  // receiver.
  await messageRewards(tx, shares, fee)
  if (!(await insertRewards(tx, credited, shares))) return []
  return shares.map((share) => creditTransfer(share, fee))
}

/** One message per receiver, even for two shares. */
async function messageRewards(
  tx: Tx,
  shares: readonly ReferralShare[],
  { feeId, at }: PaidFee,
): Promise<void> {
  const byReceiver = new Map<bigint, bigint>()
  for (const { receiverId, amount } of shares)
    byReceiver.set(receiverId, (byReceiver.get(receiverId) ?? 0n) + amount)
  await messageHolders(
    tx,
    [...byReceiver].map(([userId, units]) => ({
      ...{ userId, kind: 'referral_reward', at },
      key: `${feeId}:${userId}`,
      facts: { amount: { asset: 'USDT', units } },
    })),
  )
}
