import { expect, test } from 'vitest'
import { inTransaction } from '../../platform/database/db.ts'
import { someoneWaits, useTestDatabase } from '../../testing/database.ts'
import { account, balanceOf } from '../ledger/index.ts'
import { bookDonations } from './book-donations.ts'

const database = useTestDatabase()
const at = new Date('2026-01-01T00:00:00Z')

/** A reading of the contracts in which the pool holds only donations. */
const reading = (donated: bigint) => ({
  at: { number: 1n, hash: '0x' as const, time: at },
  ...{ plans: [], totalLocked: 0n, stakeCount: 0n, stakingHolds: 0n, poolHolds: donated },
})

test('two concurrent audits book each donation once, even if one of them read a larger sum', async () => {
  const { db } = database
  let larger: Promise<void> | undefined
  await inTransaction(db, async (tx) => {
    await bookDonations(tx, reading(5n), at)
    larger = inTransaction(db, (other) => bookDonations(other, reading(7n), at))
    await someoneWaits(db)
  })
  await larger
  for (const side of [account.surplus, account.donations]) {
    expect(await balanceOf(db, { asset: 'DCT', account: side('reward_pool') })).toBe(7n)
  }
})
