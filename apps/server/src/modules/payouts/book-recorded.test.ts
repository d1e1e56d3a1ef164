import type { Hex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { givenUsdtPayout, payoutRow, senderWorld } from '../../testing/senders.ts'
import { bookUnsigned } from './book-recorded.ts'
import { getPayout } from './create-payout.ts'
import { insertPayment, type SeenPayment } from './payments.queries.ts'

const RECEIVER: Hex = `0x${'a1'.repeat(20)}`
const USDT = 10n ** 18n
const database = useTestDatabase()

beforeEach(() => wipe(database.db))

const world = () => senderWorld(database.db, {} as never)

/** A payout of 1 USDT, and a payment that a watcher recorded. */
async function given(difference: Partial<SeenPayment> = {}) {
  const id = await givenUsdtPayout(world(), { to: RECEIVER, amount: USDT, cause: 'referral:1' })
  const payment: SeenPayment = {
    ...{ chain: 'BSC', txHash: `0x${'cd'.repeat(32)}`, logIndex: 0 },
    ...{ planCode: null, from: `0x${'b2'.repeat(20)}`, to: RECEIVER, amount: USDT },
    ...{ blockNumber: 9n, blockTime: realClock.now(), ...difference },
  }
  await inTransaction(database.db, (tx) => insertPayment(tx, payment))
  return { payout: await getPayout(database.db, id), payment }
}

const deps = () => ({ db: database.db, clock: realClock, onFinal: async () => undefined })

test.each([
  ['amount', { amount: USDT - 1n }],
  ['receiver', { to: `0x${'a2'.repeat(20)}` as Hex }],
])('a payment with another %s never pays the payout', async (_what, difference) => {
  const match = await given(difference)
  await expect(bookUnsigned(deps(), match)).rejects.toThrow('is not the payment of payout')
  expect(await payoutRow(database.db, match.payout.id)).toMatchObject({ state: 'waiting' })
})

test('the matching payment pays it once', async () => {
  const match = await given()
  expect([await bookUnsigned(deps(), match), await bookUnsigned(deps(), match)]).toEqual([
    true,
    false,
  ])
  expect(await payoutRow(database.db, match.payout.id)).toMatchObject({ state: 'final' })
})
