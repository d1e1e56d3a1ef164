import { encodeCall } from '@dct/chain-clients/senders/index'
import { payoutVaultAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase, wipe } from '../../testing/database.ts'
import { type BscKey, givenVaultWorld, newBscKey } from '../../testing/fresh-sender-world.ts'
import { bscWatcherOf } from '../../testing/payment-watchers.ts'
import { runToEnd } from '../../testing/run-to-end.ts'
import { bscNodeOf, callBsc, mintUsdt, usdtOf } from '../../testing/sender-chains.ts'
import {
  attemptsOf,
  bscSenderOf,
  givenUsdtPayout,
  payoutRow,
  type SenderWorld,
  senderWorld,
} from '../../testing/senders.ts'
import { account, balanceOf } from '../ledger/index.ts'

const host = useChainHost()
const USDT = 10n ** 18n
/** The database that made the payment, and the restored one, which does not contain it. */
let before: TestDatabase
let restored: TestDatabase
let world: SenderWorld
let old: SenderWorld
let key: BscKey
let vault: Hex
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
  ;({ key, vault, world } = await givenVaultWorld(restored.db, host()))
  old = senderWorld(before.db, world.chains)
  receiver = newBscKey().address
})

test('[T081] a payment that the database lost is booked for the claim that it paid, and not sent again', async () => {
  const payment = { to: receiver, amount: 7n * USDT, referrer: 'same', cause: 'same/1' }
  const later = { to: receiver, amount: 2n * USDT, referrer: 'same', cause: 'same/2' }
  await givenUsdtPayout(old, payment)
  await runToEnd(old, bscSenderOf(old))

  const id = await givenUsdtPayout(world, payment)
  const next = await givenUsdtPayout(world, later)
  const sender = bscSenderOf(world)
  await sender.step()
  expect(await payoutRow(restored.db, id)).toMatchObject({ wait_reason: 'BOOKS_BEHIND' })
  await runToEnd(world, sender)
  expect((await payoutRow(restored.db, id)).state).toBe('final')
  expect(await attemptsOf(restored.db, id)).toEqual([])
  expect((await attemptsOf(restored.db, next)).map(({ nonce }) => nonce)).toEqual([1n])
  expect(await usdtOf(host(), receiver)).toBe(9n * USDT)
  expect(await bscNodeOf(host()).nonceOf(key.address, 'latest')).toBe(2)
})

test('[T081] a payment recorded before its claim is made again pays that claim, and is not sent again', async () => {
  const payment = { to: receiver, amount: 7n * USDT, cause: 'referral:1' }
  await givenUsdtPayout(old, payment)
  await runToEnd(old, bscSenderOf(old))

  await bscWatcherOf(world).catchUp()
  const id = await givenUsdtPayout(world, payment)
  await runToEnd(world, bscSenderOf(world))
  expect((await payoutRow(restored.db, id)).state).toBe('final')
  expect(await attemptsOf(restored.db, id)).toEqual([])
  expect(await usdtOf(host(), receiver)).toBe(7n * USDT)
})

test("what fills the vault and what its owner withdraws are booked as the owner's", async () => {
  const held = () => balanceOf(restored.db, { asset: 'USDT', account: account.payoutWallet })
  await mintUsdt(host(), vault, 50n * USDT)
  await host().control.finalize()
  await bscWatcherOf(world).catchUp()
  // The 100 from the faucet arrived in the same way.
  expect(await held()).toBe(150n * USDT)
  const data = encodeCall(payoutVaultAbi, 'withdraw', [newBscKey().address, 30n * USDT])
  await callBsc(host(), host().serviceKeys.owner.bscPrivateKey, { to: vault, data })
  await host().control.finalize()
  await bscWatcherOf(world).catchUp()
  expect(await held()).toBe(120n * USDT)
})
