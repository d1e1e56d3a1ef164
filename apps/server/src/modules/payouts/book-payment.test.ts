import { encodeCall } from '@dct/chain-clients/senders/index'
import { rewardPoolAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { type FreshSenderWorld, freshSenderWorld } from '../../testing/fresh-sender-world.ts'
import { runToEnd } from '../../testing/run-to-end.ts'
import { addressesOf, callTron, dctOf, givenPlan, PLAN } from '../../testing/sender-chains.ts'
import {
  attemptsOf,
  payoutRow,
  RESTLESS,
  type SenderWorld,
  tronSenderOf,
} from '../../testing/senders.ts'
import { account, balanceOf, postTransfers } from '../ledger/index.ts'
import { findAccount } from './accounts.queries.ts'
import { bookPayment, chargeAdvance, type Payment } from './book-payment.ts'
import { undoPayment } from './undo-payment.ts'

const host = useChainHost()
const database = useTestDatabase()
let fresh: FreshSenderWorld
let world: SenderWorld
let nonce = 0

beforeAll(() => givenPlan(host()))
beforeEach(async () => {
  fresh = await freshSenderWorld(database.db, host())
  world = fresh.world
  // What the plan's funding books.
  await inTransaction(database.db, (tx) =>
    postTransfers(tx, [
      {
        ...{ debit: account.chainPool(PLAN.code), credit: account.free(PLAN.code), asset: 'DCT' },
        ...{ amount: 10_000_000n, kind: 'plan.funded', ref: 'test', at: realClock.now() },
      },
    ]),
  )
})

const stake = () => ({ chain: 'TRON', holder: fresh.holder.address, name: PLAN.code }) as const
const given = (amount: bigint) => fresh.givenPayout('TRON', amount)
const states = async (...ids: bigint[]) =>
  (await Promise.all(ids.map((id) => payoutRow(database.db, id)))).map(({ state }) => state)
const sums = async () => {
  const { paid, settled, open, unread } = (await findAccount(database.db, stake())) ?? {}
  return { paid, settled, open, unread }
}
const paid = async () => (await dctOf(host(), fresh.holder.address)) - 50_000_000n
const advance = async () => {
  const id = (await findAccount(database.db, stake()))?.id ?? 0n
  return balanceOf(database.db, { asset: 'DCT', account: account.advance(id) })
}
const deps = () => ({
  clock: realClock,
  charge: world.charge,
  onFinal: async () => undefined,
})

/** An event of the reward contract, as the watcher reads it. */
function event(amount: bigint, total: bigint): Payment {
  nonce += 1
  return {
    ...{ account: stake(), from: addressesOf(host()).rewardPool, to: fresh.holder.address },
    ...{ amount, total, logIndex: 0, blockNumber: BigInt(nonce), blockTime: realClock.now() },
    txHash: `0x${nonce.toString(16).padStart(64, '0')}`,
  }
}
const book = (payment: Payment) =>
  inTransaction(database.db, (tx) => bookPayment(deps(), tx, payment))

/** Whoever has the operator's key pays this much on top of what was paid. */
async function payWithKey(before: bigint, amount: bigint) {
  const args = [PLAN.code, fresh.holder.address, before, amount] as const
  const data = encodeCall(rewardPoolAbi, 'payReward', args)
  const key = host().serviceKeys.operator.tronPrivateKey
  return callTron(host(), key, { contract: addressesOf(host()).rewardPool, data })
}

test('[T080] a payment ends the payouts that its total covers, oldest first, with the last transaction', async () => {
  const [first, second] = [await given(100n), await given(200n)]
  await book(event(40n, 40n))
  expect(await states(first, second)).toEqual(['waiting', 'waiting'])
  expect(await sums()).toEqual({ paid: 40n, settled: 0n, open: 300n, unread: 0n })
  const last = event(100n, 140n)
  await book(last)
  expect(await states(first, second)).toEqual(['final', 'waiting'])
  expect((await payoutRow(database.db, first)).final_tx?.toString('hex')).toBe(last.txHash.slice(2))
  expect(await advance()).toBe(40n)
  await book(last)
  await book(event(160n, 300n))
  expect(await states(first, second)).toEqual(['final', 'final'])
  expect(await sums()).toEqual({ paid: 300n, settled: 300n, open: 0n, unread: 0n })
  expect(await advance()).toBe(0n)
})

test('[T081] payments are booked alike in whatever order their events are read; meanwhile nothing is signed', async () => {
  const id = await given(500n)
  await book(event(200n, 300n))
  expect(await sums()).toMatchObject({ paid: 300n, unread: 100n })
  expect((await openAlarms(database.db)).map(({ kind }) => kind)).toEqual(['payment.missing'])
  await tronSenderOf(world, { timing: RESTLESS }).step()
  expect(await payoutRow(database.db, id)).toMatchObject({
    state: 'waiting',
    wait_reason: 'EVENTS_MISSING',
  })
  expect(await attemptsOf(database.db, id)).toEqual([])
  await book(event(100n, 100n))
  expect(await sums()).toMatchObject({ paid: 300n, unread: 0n })
  expect(await openAlarms(database.db)).toEqual([])
})

test('a payment that was undone and is made again in another transaction is booked once', async () => {
  const id = await given(100n)
  await book(event(100n, 100n))
  await book(event(100n, 100n))
  expect(await states(id)).toEqual(['final'])
  expect(await sums()).toEqual({ paid: 100n, settled: 100n, open: 0n, unread: 0n })
})

test('[T081] what a stolen key paid counts for its holder: the next payment is reduced by it', async () => {
  const early = await given(1_000n)
  await payWithKey(0n, 1n)
  await runToEnd(world, tronSenderOf(world))
  expect(await states(early)).toEqual(['final'])
  expect(await paid()).toBe(1_000n)
  const attempts = await attemptsOf(database.db, early)
  expect(attempts.map(({ paid_before, amount }) => [paid_before, amount])).toEqual([[1n, 999n]])
})

test('[T081] a sender whose books are behind the chain signs nothing, and goes on once they have caught up', async () => {
  const [lost, next] = [await given(1_000n), await given(500n)]
  await payWithKey(0n, 1_000n)
  await host().control.finalize()
  const sender = tronSenderOf(world, { timing: RESTLESS })
  await sender.step()
  expect(await payoutRow(database.db, lost)).toMatchObject({ wait_reason: 'BOOKS_BEHIND' })
  expect(await attemptsOf(database.db, lost)).toEqual([])
  await runToEnd(world, sender)
  expect(await states(lost, next)).toEqual(['final', 'final'])
  expect(await paid()).toBe(1_500n)
})

test('[T082] whoever is faster with the same statement, the holder is paid once', async () => {
  const id = await given(1_000n)
  const sender = tronSenderOf(world, { timing: RESTLESS })
  await host().control.pauseMining()
  await sender.step()
  await host().control.resumeMining()
  // The slower of the two is refused.
  await payWithKey(0n, 1n).catch(() => undefined)
  await runToEnd(world, sender)
  expect(await states(id)).toEqual(['final'])
  expect(await paid()).toBeLessThanOrEqual(1_001n)
  expect(await paid()).toBeGreaterThanOrEqual(1_000n)
})

test('an advance is charged to what its holder is owed, once nothing is open', async () => {
  const id = await given(100n)
  await book(event(250n, 250n))
  expect(await states(id)).toEqual(['final'])
  const cause = 'paid-cycles:1:1-1'
  let asked = 0n
  world.charge = async (_tx, { most }) => {
    asked = most
    return { cause, amount: 120n, debit: account.free(PLAN.code) }
  }
  const charge = () => inTransaction(database.db, (tx) => chargeAdvance(deps(), tx, stake()))
  expect(await charge()).toBe(true)
  expect(asked).toBe(150n)
  expect(await sums()).toEqual({ paid: 250n, settled: 220n, open: 0n, unread: 0n })
  expect(await advance()).toBe(30n)
  // More than was paid in advance is never charged.
  await expect(charge()).rejects.toMatchObject({ constraint: 'payout_account_covered' })
})

test('[T081] payments that are undone open what they were charged to, newest first, and count again if they return', async () => {
  const early = await given(100n)
  const thief = event(1n, 1n)
  const ours = event(149n, 150n)
  await book(thief)
  await book(ours)
  world.charge = async () => {
    return { cause: 'paid-cycles:1:1-1', amount: 50n, debit: account.free(PLAN.code) }
  }
  await inTransaction(database.db, (tx) => chargeAdvance(deps(), tx, stake()))
  const reopened: string[] = []
  const undo = (payment: Payment) =>
    inTransaction(database.db, (tx) =>
      undoPayment(
        { clock: realClock, onUndone: async (_tx, { cause }) => void reopened.push(cause) },
        tx,
        payment,
      ),
    )
  for (let times = 0; times < 2; times += 1) {
    expect(await sums()).toEqual({ paid: 150n, settled: 150n, open: 0n, unread: 0n })
    await undo(ours)
    await undo(ours)
    expect(await sums()).toEqual({ paid: 1n, settled: 0n, open: 150n, unread: 0n })
    expect(await advance()).toBe(1n)
    expect(await states(early)).toEqual(['waiting'])
    await undo(thief)
    expect(await sums()).toEqual({ paid: 0n, settled: 0n, open: 150n, unread: 0n })
    // Their events are read in another order.
    await book(ours)
    expect(await sums()).toMatchObject({ paid: 150n, unread: 1n })
    await book(thief)
  }
  expect(reopened.slice(0, 2)).toEqual([
    'paid-cycles:1:1-1',
    (await payoutRow(database.db, early)).cause,
  ])
  expect(await states(early)).toEqual(['final'])
  expect(await advance()).toBe(0n)
  expect(await openAlarms(database.db)).toEqual([])
})

test('[T080] an account is never settled beyond what was paid', async () => {
  await given(100n)
  const settled = database.db.updateTable('payout_account').set({ settled: 1n }).execute()
  await expect(settled).rejects.toMatchObject({ constraint: 'payout_account_covered' })
})
