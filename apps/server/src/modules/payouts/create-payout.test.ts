import { expect, test } from 'vitest'
import { inTransaction } from '../../platform/database/db.ts'
import { someoneWaits, useTestDatabase } from '../../testing/database.ts'
import { createPayout, type NewPayout } from './create-payout.ts'

const database = useTestDatabase()
const reward: NewPayout = {
  account: { chain: 'TRON', holder: `0x${'11'.repeat(20)}`, name: 'PLAN-360' },
  ...{ cause: 'claim:1:later', amount: 5n, at: new Date('2026-01-01') },
}

test('[T080] of two concurrent inserts of one payout, the slower one returns the payout of the other', async () => {
  const { db } = database
  const create = (changes: Partial<NewPayout> = {}) =>
    inTransaction(db, (tx) => createPayout(tx, { ...reward, ...changes }))
  let slower: Promise<bigint> | undefined
  const quicker = await inTransaction(db, async (tx) => {
    const id = await createPayout(tx, reward)
    slower = create()
    await someoneWaits(db)
    return id
  })
  expect(await slower).toBe(quicker)
  await expect(create({ amount: 6n })).rejects.toThrow('exists with other content')
  const account = await database.db.selectFrom('payout_account').select('open').execute()
  expect(account).toEqual([{ open: 5n }])
})
