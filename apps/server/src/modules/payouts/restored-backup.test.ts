import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { createTestDatabase, type TestDatabase, wipe } from '../../testing/database.ts'
import { type BscKey, givenWalletWorld, newBscKey } from '../../testing/fresh-sender-world.ts'
import { bscWatcherOf } from '../../testing/payment-watchers.ts'
import { runToEnd } from '../../testing/run-to-end.ts'
import { bscNodeOf, sendUsdt, usdtOf } from '../../testing/sender-chains.ts'
import {
  attemptsOf,
  bscSenderOf,
  givenUsdtPayout,
  payoutRow,
  type SenderWorld,
  senderWorld,
} from '../../testing/senders.ts'
import { account, balanceOf } from '../ledger/index.ts'
import { explainOpenPayment } from './explain-payment.ts'
import { endRestore, markRestored } from './restored-backup.ts'

const host = useChainHost()
const USDT = 10n ** 18n
/** The database that made the payment, and the restored one, which does not contain it. */
let before: TestDatabase
let restored: TestDatabase
let world: SenderWorld
let old: SenderWorld
let wallet: BscKey
let receiver: Hex

beforeAll(async () => {
  before = await createTestDatabase()
  restored = await createTestDatabase()
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
})

const alarmKinds = async () => (await openAlarms(restored.db)).map(({ kind }) => kind)

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
      state: 'waiting',
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
