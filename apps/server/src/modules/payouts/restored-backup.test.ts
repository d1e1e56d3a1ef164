import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { createTestDatabase, type TestDatabase, wipe } from '../../testing/database.ts'
import { type BscKey, givenWalletWorld, newBscKey } from '../../testing/fresh-sender-world.ts'
import { bscWatcherOf, tronWatcherOf } from '../../testing/payment-watchers.ts'
import {
  bscNodeOf,
  dctOf,
  givenHolder,
  givenPlan,
  givenStake,
  type Holder,
  PLAN,
  sendUsdt,
  usdtOf,
} from '../../testing/sender-chains.ts'
import {
  attemptsOf,
  bscSenderOf,
  givenRewardPayout,
  givenUsdtPayout,
  payoutRow,
  runToEnd,
  type SenderWorld,
  senderDeps,
  senderWorld,
  tronSenderOf,
} from '../../testing/senders.ts'
import { account, balanceOf } from '../ledger/index.ts'
import { getPayout } from './create-payout.ts'
import { finishRecorded } from './due-payouts.ts'
import { explainOpenPayment } from './explain-payment.ts'
import { insertPayment } from './payments.queries.ts'
import { endRestore, markRestored } from './restored-backup.ts'

const host = useChainHost()
const USDT = 10n ** 18n
/** The database that made the payment, and the restored one, which does not contain it. */
let before: TestDatabase
let restored: TestDatabase
let world: SenderWorld
let old: SenderWorld
let holder: Holder
let stakeId: bigint
let wallet: BscKey
let receiver: Hex

beforeAll(async () => {
  before = await createTestDatabase()
  restored = await createTestDatabase()
  await givenPlan(host())
})
afterAll(async () => {
  await before.drop()
  await restored.drop()
})
beforeEach(async () => {
  await Promise.all([wipe(before.db), wipe(restored.db)])
  ;({ wallet, world } = await givenWalletWorld(restored.db, host()))
  old = senderWorld(before.db, world.chains)
  receiver = newBscKey().address
  holder = await givenHolder(host())
  stakeId = (await givenStake(host(), { holder, amount: 50_000_000n })).stakeId
})

const reward = (lastCycle: number, amount = 1_000n) => ({
  to: holder.address,
  amount,
  stakeId,
  planCode: PLAN.code,
  lastCycle,
})
const paid = async () => (await dctOf(host(), holder.address)) - 50_000_000n
const alarmKinds = async () => (await openAlarms(restored.db)).map(({ kind }) => kind)

test('[T081] a reward shown as paid on chain is booked with its transaction and not paid again', async () => {
  const first = await givenRewardPayout(old, reward(1))
  await runToEnd(old, tronSenderOf(old))
  const { final_tx: paidBy } = await payoutRow(before.db, first)

  const id = await givenRewardPayout(world, reward(1))
  const sender = tronSenderOf(world)
  expect(await sender.step()).toBe(true)
  expect(await payoutRow(restored.db, id)).toMatchObject({ wait_reason: 'PAID_ON_CHAIN' })
  await tronWatcherOf(world).catchUp()
  await runToEnd(world, sender)
  expect(await payoutRow(restored.db, id)).toMatchObject({ state: 'final', final_tx: paidBy })
  expect(await attemptsOf(restored.db, id)).toEqual([])
  expect(await paid()).toBe(1_000n)
  expect(world.finals).toHaveLength(1)
})

test('[T081] a payment recorded before its payout is created again is found by its key', async () => {
  await givenRewardPayout(old, reward(1))
  await runToEnd(old, tronSenderOf(old))
  await tronWatcherOf(world).catchUp()
  expect(await alarmKinds()).toContain('payment.unknown')
  const id = await givenRewardPayout(world, reward(1))
  await runToEnd(world, tronSenderOf(world))
  expect((await payoutRow(restored.db, id)).state).toBe('final')
  expect(await paid()).toBe(1_000n)
  const alarms = await openAlarms(restored.db)
  expect(alarms.filter(({ message }) => message.includes(holder.address))).toEqual([])
})

test('[T081] a payment with the right key is booked only if its amount, receiver and plan match too', async () => {
  const id = await givenRewardPayout(world, reward(1))
  const payout = await getPayout(restored.db, id)
  const seen = {
    chain: 'TRON',
    ...{ payoutKey: payout.payoutKey, planCode: PLAN.code, from: receiver },
    ...{ to: holder.address, amount: 1_000n, blockNumber: 9n, blockTime: world.clock.now() },
  } as const
  const record = (logIndex: number, change: object) =>
    inTransaction(restored.db, (tx) =>
      insertPayment(tx, { ...seen, ...change, logIndex, txHash: `0x${'ab'.repeat(32)}` }),
    )
  const finish = () => finishRecorded(senderDeps(world), payout)
  for (const [at, change] of [{ amount: 999n }, { to: receiver }, { planCode: 'X' }].entries()) {
    await record(at, change)
    expect(await finish()).toBe(false)
  }
  expect((await payoutRow(restored.db, id)).state).toBe('queued')
  await record(3, {})
  expect(await finish()).toBe(true)
  expect((await payoutRow(restored.db, id)).state).toBe('final')
})

test('[T081] cycles already paid under another claim hold every payout of that stake', async () => {
  await givenRewardPayout(old, reward(1))
  await runToEnd(old, tronSenderOf(old))
  const id = await givenRewardPayout(world, reward(2))
  const sender = tronSenderOf(world)
  await sender.step()
  expect(await payoutRow(restored.db, id)).toMatchObject({ wait_reason: 'CHAIN_PAID_MORE' })
  expect(await alarmKinds()).toContain('payout.waiting')
  expect(await paid()).toBe(1_000n)
})

test('the watcher books a reward on its own if the sender died after sending it', async () => {
  const id = await givenRewardPayout(world, reward(1))
  await tronSenderOf(world).step()
  await host().control.finalize()
  await tronWatcherOf(world).catchUp()
  expect((await payoutRow(restored.db, id)).state).toBe('final')
  await runToEnd(world, tronSenderOf(world))
  expect(world.finals).toHaveLength(1)
  const [payment] = await restored.db
    .selectFrom('chain_payment')
    .selectAll()
    .where('payout_id', '=', id)
    .execute()
  expect(payment).toMatchObject({ payout_id: id, amount: 1_000n, plan_code: PLAN.code })
  const alarms = await openAlarms(restored.db)
  expect(alarms.filter(({ message }) => message.includes(holder.address))).toEqual([])
})

test('[T081] a USDT payment missing from the database is booked for the matching payout and not sent again', async () => {
  const payment = { to: receiver, amount: 7n * USDT, cause: 'referral:1' }
  const later = { to: receiver, amount: 2n * USDT, cause: 'referral:2' }
  await givenUsdtPayout(old, payment)
  await runToEnd(old, bscSenderOf(old))

  await givenSender(0)
  const id = await givenUsdtPayout(world, payment)
  const next = await givenUsdtPayout(world, later)
  const sender = bscSenderOf(world)
  await sender.step()
  expect(await payoutRow(restored.db, id)).toMatchObject({ wait_reason: 'SENDER_HELD' })
  await bscWatcherOf(world).catchUp()
  await runToEnd(world, sender)
  expect((await payoutRow(restored.db, id)).state).toBe('final')
  expect(await attemptsOf(restored.db, id)).toEqual([])
  expect((await attemptsOf(restored.db, next)).map(({ nonce }) => nonce)).toEqual([1n])
  expect(await usdtOf(host(), receiver)).toBe(9n * USDT)
  expect(await bscNodeOf(host()).nonceOf(wallet.address, 'latest')).toBe(2)
})

test('[T081] a USDT payment recorded before its payout is created again is booked for it and not sent again', async () => {
  const payment = { to: receiver, amount: 7n * USDT, cause: 'referral:1' }
  await givenUsdtPayout(old, payment)
  await runToEnd(old, bscSenderOf(old))

  await bscWatcherOf(world).catchUp()
  expect(await alarmKinds()).toContain('payment.unknown')
  const id = await givenUsdtPayout(world, payment)
  await runToEnd(world, bscSenderOf(world))
  expect((await payoutRow(restored.db, id)).state).toBe('final')
  expect(await attemptsOf(restored.db, id)).toEqual([])
  expect(await usdtOf(host(), receiver)).toBe(7n * USDT)
})

test("deposits to the payout wallet are booked as the owner's, and unexplained withdrawals raise an alarm", async () => {
  const owner = newBscKey()
  await host().control.faucet({ bscAddress: owner.address, usdt: '50', bnb: '1' })
  const walletBalance = () =>
    balanceOf(restored.db, { asset: 'USDT', account: account.payoutWallet })
  await sendUsdt(host(), owner.privateKey, { to: wallet.address, amount: 50n * USDT })
  await host().control.finalize()
  await bscWatcherOf(world).catchUp()
  // The 100 from the faucet arrived in the same way.
  expect(await walletBalance()).toBe(150n * USDT)

  const txHash = await sendUsdt(host(), wallet.privateKey, {
    to: owner.address,
    amount: 30n * USDT,
  })
  await host().control.finalize()
  await bscWatcherOf(world).catchUp()
  expect(await alarmKinds()).toEqual(['payment.unknown'])
  expect(await walletBalance()).toBe(150n * USDT)
  const deps = { db: restored.db, clock: world.clock, recordAdminAction: async () => undefined }
  const fact = { chain: 'BSC', txHash, logIndex: 0, explanation: 'withdrawn', adminId: 1n } as const
  await explainOpenPayment(deps, fact)
  expect(await walletBalance()).toBe(120n * USDT)
  await expect(explainOpenPayment(deps, fact)).rejects.toMatchObject({ code: 'PAYMENT_NOT_OPEN' })
})

test.each([
  ['Tron', () => tronSenderOf(world), () => givenRewardPayout(world, reward(1))],
  [
    'BSC',
    () => bscSenderOf(world),
    () => givenUsdtPayout(world, { to: receiver, amount: USDT, cause: 'referral:1' }),
  ],
] as const)(
  'on %s a restored database signs nothing until it has been compared with the chains',
  async (_chain, senderOf, given) => {
    const at = world.clock.now()
    await inTransaction(restored.db, (tx) => markRestored(tx, { backup: 'b', takenAt: at, at }))
    const id = await given()
    const sender = senderOf()
    await bscWatcherOf(world).catchUp()
    await sender.step()
    expect(await attemptsOf(restored.db, id)).toEqual([])
    expect(await payoutRow(restored.db, id)).toMatchObject({
      state: 'queued',
      wait_reason: 'RESTORED',
    })
    expect(await alarmKinds()).toContain('restored')
    await inTransaction(restored.db, (tx) => endRestore(tx, at))
    await runToEnd(world, sender)
    expect((await payoutRow(restored.db, id)).state).toBe('final')
    expect(await alarmKinds()).not.toContain('restored')
  },
)

/** Sets the state of the wallet's nonces in the backup. */
async function givenSender(nextNonce: number) {
  await restored.db
    .insertInto('sender_state')
    .values({
      chain: 'BSC',
      sender: Buffer.from(wallet.address.slice(2), 'hex'),
      next_nonce: BigInt(nextNonce),
      held_reason: null,
      held_at: null,
    })
    .execute()
}
