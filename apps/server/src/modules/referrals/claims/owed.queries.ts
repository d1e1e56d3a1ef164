import { sql } from 'kysely'
import type { DbOrTx } from '../../../platform/database/db.ts'
import { account, balances } from '../../ledger/index.ts'

/** USDT base units in claims that await approval. */
export async function referralRequested(db: DbOrTx): Promise<bigint> {
  const { rows } = await sql<{ requested: bigint }>`
    select coalesce(sum(amount), 0) as requested from referral_claim
    where state = 'requested'`.execute(db)
  return rows[0]?.requested ?? 0n
}

/**
 * USDT base units owed to referrers, claimed or not, until they are paid. Every referrer has an account for each kind of
 * reward, possibly a million in all. None of them is read: the amount is all USDT that belongs to no other account.
 * What the vault paid beyond the payouts in the books is owed no more, although it is not charged yet.
 */
export async function owedToReferrers(db: DbOrTx): Promise<bigint> {
  const { feeReceiver, payoutWallet, suspense, incomeFee, incomeEnergy, owner } = account
  const held = [feeReceiver, payoutWallet]
  const others = [suspense, incomeFee, incomeEnergy, owner]
  const booked = await balances(db, { asset: 'USDT', accounts: [...held, ...others] })
  const sumOf = (accounts: readonly { code: string }[]) =>
    accounts.reduce((sum, { code }) => sum + (booked.get(code) ?? 0n), 0n)
  return sumOf(held) - sumOf(others)
}
