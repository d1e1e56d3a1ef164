import type { Bps, Usdt } from '@dct/money'
import { type ReferralShare, referralShares } from '@dct/rules/referral-shares'
import type { Tx } from '../../platform/db.ts'
import { invariant } from '../../platform/errors.ts'
import type { Transfer } from '../ledger/index.ts'
import { creditTransfer } from './referral-account.ts'
import { addEarned, insertFee, insertRewards, lineAbove } from './rewards.queries.ts'

export type PaidFee = {
  /** One fee is credited once. */
  feeId: bigint
  payerUserId: bigint
  /** What was really paid of the fee, without energy, rounding and tail. */
  feeUsdt: Usdt
  planCode: string
  at: Date
}

/**
 * Credits the payer's referrer and line with their shares of a fee, in the transaction that settles it. The
 * percentages are those of now, and are stored with the rewards. Crediting a fee again changes nothing.
 * @returns the transfers that book it, for the settlement to post with its own: one call locks in one order
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
  const isNew = await insertFee(tx, {
    fee_id: fee.feeId,
    payer_id: fee.payerUserId,
    fee_usdt: fee.feeUsdt,
    direct: sumOf(shares, 'direct'),
    indirect: sumOf(shares, 'indirect'),
  })
  if (!isNew || shares.length === 0) return []
  const balances = await addEarned(tx, shares)
  const credits = shares.map((share) => {
    const balance = balances.find(
      (one) => one.user_id === share.receiverId && one.kind === share.kind,
    )
    invariant(balance !== undefined, `no balance for ${share.receiverId}`)
    return { ...share, rowNumber: balance.row_count, running: balance.earned }
  })
  await insertRewards(tx, { ...fee, fromAddress: payer.address }, credits)
  return shares.map((share) => creditTransfer(share, fee))
}

function sumOf(shares: readonly ReferralShare[], kind: ReferralShare['kind']): bigint {
  return shares
    .filter((share) => share.kind === kind)
    .reduce((sum, share) => sum + share.amount, 0n)
}
