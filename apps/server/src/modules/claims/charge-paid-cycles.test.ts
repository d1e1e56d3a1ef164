import { expect, test } from 'vitest'
import { inTransaction } from '../../platform/database/db.ts'
import { everything } from '../../testing/all-tables.ts'
import {
  claim,
  claimRows,
  expectBooksToBalance,
  givenHolder,
  receive,
  transferEvent,
} from '../../testing/claims.ts'
import { useFreshClaims } from '../../testing/fresh-claims.ts'
import { dct } from '../../testing/plans.ts'
import { planChecks } from '../audit/checks/plans.ts'
import { type ChainEvent, hexOf } from '../chain/index.ts'
import { onRewardPaid } from '../payouts/index.ts'

const { world } = useFreshClaims()

/** What the chain paid to a holder, by whichever key, as the watcher reads it. */
async function paidOnChain(holder: Buffer, amount: bigint, total: bigint) {
  const event: ChainEvent = {
    ...transferEvent(world, { value: 0n }),
    ...{ chain: 'TRON', name: 'RewardPaid' },
    args: { planCode: 'PLAN-360', to: hexOf(holder), amount: `${amount}`, total: `${total}` },
  }
  const deps = {
    ...{ clock: world.clock, onFinal: async () => undefined },
    charge: async () => undefined,
  }
  await inTransaction(world.db, (tx) => onRewardPaid(deps, tx, event))
}

const account = () =>
  everything(world.db)
    .selectFrom('payout_account')
    .select(['paid', 'settled', 'open'])
    .executeTakeFirst()

test('[T081] cycles that the chain has paid are claimed already: no fee is asked for them, and nothing is paid twice', async () => {
  const holder = await givenHolder(world, { amount: dct('50'), days: 10 })
  await paidOnChain(holder.address, dct('0.35'), dct('0.35'))
  expect(await account()).toEqual({ paid: dct('0.35'), settled: 0n, open: 0n })
  expect((await claim(world, holder, 'FULL')).status).toBe(200)
  const [row] = await claimRows(world)
  expect(row).toMatchObject({ first_cycle: 4, last_cycle: 10, amount: dct('0.7') })
  expect(await account()).toEqual({ paid: dct('0.35'), settled: dct('0.3'), open: 0n })
  await receive(world, transferEvent(world, { value: row?.exact_amount ?? 0n }))
  // Half a cycle was paid ahead, so the payment is smaller by it.
  await paidOnChain(holder.address, dct('0.65'), dct('1'))
  expect(await account()).toEqual({ paid: dct('1'), settled: dct('1'), open: 0n })
  await expectBooksToBalance(world)
  const [funds] = planChecks.filter(({ name }) => name === 'a plan’s funds are owed or free')
  expect(await funds?.run(world.db, { isFull: true })).toMatchObject({ differences: [] })
})

test('while a fee is open, what the chain pays is kept as an advance, because the claim can still be undone', async () => {
  const holder = await givenHolder(world, { amount: dct('50'), days: 10 })
  await claim(world, holder, 'FULL')
  await paidOnChain(holder.address, dct('0.2'), dct('0.2'))
  const [row] = await claimRows(world)
  await receive(world, transferEvent(world, { value: row?.exact_amount ?? 0n }))
  await paidOnChain(holder.address, dct('0.8'), dct('1'))
  expect(await account()).toEqual({ paid: dct('1'), settled: dct('1'), open: 0n })
  await expectBooksToBalance(world)
})
