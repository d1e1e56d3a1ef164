import { parseAmount } from '@dct/money'
import { account, postTransfers } from '../modules/ledger/index.ts'
import { creditFee, recordStake } from '../modules/referrals/index.ts'
import type { Clock } from '../platform/clock.ts'
import { type Db, inTransaction } from '../platform/database/db.ts'
import { everything } from './all-tables.ts'

type Deps = { db: Db; clock: Clock }
let lastFee = 0n
let lastStake = 0n

/** Books a fee payment and credits the payer's upline. */
export async function payFee(
  { db, clock }: Deps,
  fee: { payerId: bigint; usdt: string; feeId?: bigint; directRateBps?: bigint },
): Promise<bigint> {
  lastFee += 1n
  const { payerId, usdt, feeId = lastFee, directRateBps = 1_000n } = fee
  const at = clock.now()
  const feeUsdt = parseAmount('USDT', usdt)
  const [debit, credit] = [account.feeReceiver, account.incomeFee]
  const booking = { asset: 'USDT', kind: 'fee.paid', ref: `${feeId}`, at } as const
  const paid = { feeId, payerUserId: payerId, feeUsdt, planCode: 'PLAN-360', at }
  // Not `inTransaction`, which would hide a deadlock by retrying.
  await everything(db)
    .transaction()
    .execute(async (tx) => {
      const shares = await creditFee({ directRateBps }, tx, paid)
      await postTransfers(tx, [{ ...booking, debit, credit, amount: feeUsdt }, ...shares])
    })
  return feeId
}

/** Records a stake like the watcher. */
export async function stake(
  { db }: { db: Db },
  made: { address: Buffer; dct: string },
): Promise<void> {
  lastStake += 1n
  const args = {
    stakeId: `${lastStake}`,
    staker: `0x${made.address.toString('hex')}`,
    amount: `${parseAmount('DCT', made.dct)}`,
  }
  await inTransaction(db, (tx) => recordStake(tx, { name: 'Staked', args }))
}

/** Sets a user's percentage in the database. */
export async function setRate(
  { db }: { db: Db },
  rate: { userId: bigint; bps: number },
): Promise<void> {
  await everything(db)
    .updateTable('app_user')
    .set({ referral_reward_bps: rate.bps })
    .where('id', '=', rate.userId)
    .execute()
}
