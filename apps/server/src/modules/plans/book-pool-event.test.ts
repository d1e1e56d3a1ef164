import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { dct, givenPlan } from '../../testing/plans.ts'
import type { ChainEvent } from '../chain/index.ts'
import { account, balanceOf, postTransfers } from '../ledger/index.ts'
import { bookPoolEvent } from './book-pool-event.ts'
import { remainingQuotas } from './describe-plans.ts'

const database = useTestDatabase()
const clock = new ManualClock('2026-01-31T03:00:00Z')

beforeEach(() => wipe(database.db))

const deps = () => ({ db: database.db, clock, realClock })
const book = (name: string, amount: string, facts: Partial<ChainEvent> = {}) => {
  const someone = `0x${'ab'.repeat(20)}`
  const named = { planCode: 'PLAN-90', from: someone, to: someone, staker: someone }
  return inTransaction(database.db, (tx) =>
    bookPoolEvent(tx, {
      chain: 'TRON',
      txHash: randomBytes(32),
      logIndex: 0,
      blockNumber: 1n,
      blockHash: randomBytes(32),
      blockTime: clock.now(),
      address: randomBytes(20),
      name,
      args: { ...named, amount: String(dct(amount)) },
      ...facts,
    }),
  )
}
const free = async () => {
  const row = await database.db.selectFrom('plan_pool').select('free').executeTakeFirst()
  return row?.free
}
const ledger = async () => ({
  pool: await balanceOf(database.db, { asset: 'DCT', account: account.chainPool('PLAN-90') }),
  free: await balanceOf(database.db, { asset: 'DCT', account: account.free('PLAN-90') }),
})

test('funds are booked in the ledger as free, even before their plan exists', async () => {
  await book('PlanFunded', '100')
  await book('PlanFunded', '20')
  expect(await free()).toBe(dct('120'))
  expect(await ledger()).toEqual({ pool: dct('120'), free: dct('120') })
})

test('funds that a stake reserves or the owner withdraws are no longer free for joins', async () => {
  const plan = await givenPlan(deps(), { code: 'PLAN-90', totalReward: '1000', poolFree: '0' })
  await book('PlanFunded', '1000')
  await book('RewardReserved', '36')
  expect(await ledger()).toEqual({ pool: dct('1000'), free: dct('1000') })
  await book('FreeWithdrawn', '900')
  expect(await free()).toBe(dct('64'))
  expect(await ledger()).toEqual({ pool: dct('100'), free: dct('100') })
  expect((await remainingQuotas(deps(), [plan])).get(plan.id)?.annual).toBe(dct('64'))
})

test('withdrawn lapsed funds leave the plan', async () => {
  await book('PlanFunded', '100')
  await inTransaction(database.db, (tx) =>
    postTransfers(tx, [
      {
        debit: account.free('PLAN-90'),
        credit: account.lapsed('PLAN-90'),
        asset: 'DCT',
        amount: dct('30'),
        kind: 'test.lapsed',
        ref: '1',
        at: clock.now(),
      },
    ]),
  )
  await book('LapsedWithdrawn', '30')
  expect(await free()).toBe(dct('100'))
  expect(await ledger()).toEqual({ pool: dct('70'), free: dct('70') })
})

test('events that move no funds change nothing', async () => {
  await book('PlanFunded', '100')
  for (const name of ['RewardPaid', 'PlanOpened', 'OperatorChanged']) await book(name, '5')
  expect(await free()).toBe(dct('100'))
  expect(await ledger()).toEqual({ pool: dct('100'), free: dct('100') })
})
