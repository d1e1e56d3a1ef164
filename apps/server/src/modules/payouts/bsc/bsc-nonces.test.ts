import { createEvmClient } from '@dct/chain-clients'
import { encodeCall, evmSigner } from '@dct/chain-clients/senders/index'
import { rawKeySigner } from '@dct/chain-clients/signers/index'
import { tokenAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { type Hex, hexToBytes } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../../platform/alarms/alarms.ts'
import { realClock } from '../../../platform/clock.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { type FaultyProxy, isBroadcast, startFaultyProxy } from '../../../testing/faulty-proxy.ts'
import { type BscKey, givenWalletWorld, newBscKey } from '../../../testing/fresh-sender-world.ts'
import { bscWatcherOf } from '../../../testing/payment-watchers.ts'
import { runToEnd } from '../../../testing/run-to-end.ts'
import { addressesOf, bscNodeOf, sendUsdt, usdtOf } from '../../../testing/sender-chains.ts'
import {
  adminDeps,
  attemptsOf,
  bscSenderOf,
  givenUsdtPayout,
  payoutRow,
  RESTLESS,
  type SenderWorld,
} from '../../../testing/senders.ts'
import { explainOpenPayment } from '../explain-payment.ts'
import { voidPayout } from '../index.ts'
import { retryPayout } from '../manage-payouts.ts'
import { attachPayment } from '../manual/attach-payment.ts'
import { holdSender } from './nonces.queries.ts'
import { resumeSender } from './resume-sender.ts'

const host = useChainHost()
const USDT = 10n ** 18n
const BUMPING = { ...RESTLESS, replaceAfterMs: 0 }

const database = useTestDatabase()
let proxy: FaultyProxy
let world: SenderWorld
/** The same world, with a network that loses transactions. */
let shaky: SenderWorld
let wallet: BscKey
let receiver: Hex
let startBlock: bigint
let count = 0

beforeAll(async () => {
  proxy = await startFaultyProxy(host().bscUrl)
  proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
})
afterAll(() => proxy.stop())
beforeEach(async () => {
  await wipe(database.db)
  ;({ wallet, world } = await givenWalletWorld(database.db, host()))
  receiver = newBscKey().address
  shaky = { ...world, chains: { ...world.chains, bscUrl: proxy.url } }
  await host().control.finalize()
  startBlock = (await createEvmClient({ url: host().bscUrl }).finalHead()).number + 1n
})

function givenPayout(amount = USDT) {
  count += 1
  return givenUsdtPayout(world, { to: receiver, amount, cause: `referral:${count}` })
}

const received = () => usdtOf(host(), receiver)
const alarmKinds = async () => (await openAlarms(database.db)).map(({ kind }) => kind)
const stateOf = async (id: bigint) => (await payoutRow(database.db, id)).state
const stateOfAttempts = async (id: bigint) =>
  (await attemptsOf(database.db, id)).map(({ state }) => state)
const resume = () => resumeSender(adminDeps(world), 1n)
const hold = () =>
  holdSender(database.db, wallet.address, { reason: 'Under review', at: realClock.now() })
const attach = (payoutId: bigint, txHash: Hex) =>
  attachPayment(adminDeps(world), { payoutId, txHash, adminId: 1n })

const explain = (txHash: Hex) =>
  explainOpenPayment(adminDeps(world), {
    ...{ chain: 'BSC', logIndex: 0, explanation: 'A gift', adminId: 1n },
    txHash,
  })

async function watch() {
  await host().control.finalize()
  await bscWatcherOf(world, startBlock).catchUp()
}

/** A payout whose stored transaction was lost before it reached the chain. */
async function givenLostPayment(): Promise<bigint> {
  const id = await givenPayout()
  await bscSenderOf(shaky, { timing: RESTLESS }).step()
  expect(await stateOfAttempts(id)).toEqual(['pending'])
  return id
}

/** Pays with the service's key without recording it, as if the database had been lost. */
async function payUnknown(payment: { nonce: number; amount?: bigint }): Promise<Hex> {
  const { nonce, amount = USDT } = payment
  const node = bscNodeOf(host())
  const signer = evmSigner(rawKeySigner(wallet.privateKey), await node.chainId())
  const data = encodeCall(tokenAbi, 'transfer', [receiver, amount])
  const gasPrice = 2n * (await node.gasPrice())
  const to = addressesOf(host()).usdt
  const { hash, raw } = await signer.sign({ to, data, gas: 200_000n, gasPrice, nonce })
  expect(await node.broadcast(raw)).toMatchObject({ isAccepted: true })
  await host().control.finalize()
  return hash
}

test('[T076] resuming between a final fee bump and its booking pays nobody twice', async () => {
  const id = await givenLostPayment()
  await bscSenderOf(shaky, { timing: BUMPING }).step()
  const [first, bumped] = await attemptsOf(database.db, id)
  if (first === undefined || bumped === undefined) throw new Error('there was no fee bump')
  expect(bumped.nonce).toBe(first.nonce)
  await bscNodeOf(host()).broadcast(bumped.raw)
  await hold()
  await host().control.finalize()
  // First the watcher has read nothing; then it has read everything, but not booked the payment.
  await expect(resume()).rejects.toMatchObject({ code: 'SENDER_UNDECIDED' })
  const blind = {
    ...world,
    formerWallets: [],
    chains: { ...world.chains, serviceKeys: host().serviceKeys },
  }
  await bscWatcherOf(blind, startBlock).catchUp()
  await expect(resume()).rejects.toMatchObject({ code: 'SENDER_UNDECIDED' })
  expect(await stateOf(id)).toBe('sent')

  const sender = bscSenderOf(world, { timing: RESTLESS })
  await runToEnd(world, sender)
  await watch()
  await resume()
  await runToEnd(world, sender)
  expect(await stateOfAttempts(id)).toEqual(['expired', 'confirmed'])
  expect(await received()).toBe(USDT)
})

test('[T076] a sender that is not held cannot be resumed', async () => {
  const id = await givenLostPayment()
  await payUnknown({ nonce: 0, amount: 1n })
  await watch()
  await expect(resume()).rejects.toMatchObject({ code: 'SENDER_NOT_HELD' })
  expect(await stateOfAttempts(id)).toEqual(['pending'])
})

test('[T076, T081] a replacement missing from a restored backup is booked by its nonce and not paid again', async () => {
  const id = await givenLostPayment()
  const hash = await payUnknown({ nonce: 0 })
  const sender = bscSenderOf(shaky, { timing: RESTLESS })
  for (let steps = 0; steps < 3; steps += 1) await sender.step()
  expect(await alarmKinds()).toContain('sender.held')
  await expect(resume()).rejects.toMatchObject({ code: 'SENDER_UNDECIDED' })

  await watch()
  await sender.step()
  expect(await payoutRow(database.db, id)).toMatchObject({
    state: 'final',
    final_tx: Buffer.from(hexToBytes(hash)),
  })
  await resume()
  const next = await givenPayout()
  await runToEnd(world, bscSenderOf(world))
  expect((await attemptsOf(database.db, next)).map(({ nonce }) => nonce)).toEqual([1n])
  expect(await received()).toBe(2n * USDT)
  expect(await alarmKinds()).toEqual([])
})

test('[T076, T081] resuming books a missing replacement recorded in the meantime', async () => {
  const id = await givenLostPayment()
  await payUnknown({ nonce: 0 })
  await hold()
  await watch()
  await resume()
  expect(await stateOf(id)).toBe('final')
  await runToEnd(world, bscSenderOf(world))
  expect(await received()).toBe(USDT)
})

test('a matching payment with another nonce blocks giving up until an admin attaches or explains it', async () => {
  const id = await givenLostPayment()
  // Somebody else with our key uses the payout's nonce and makes the same payment with the next one.
  const other = await payUnknown({ nonce: 0, amount: 1n })
  const hash = await payUnknown({ nonce: 1 })
  await hold()
  await watch()
  await expect(resume()).rejects.toMatchObject({ code: 'SENDER_PAYMENT_FITS' })
  await explain(other)
  await expect(resume()).rejects.toMatchObject({ code: 'SENDER_PAYMENT_FITS' })
  await attach(id, hash)
  // A repeated request changes nothing.
  await attach(id, hash)
  expect(await stateOf(id)).toBe('final')
  await resume()
  await runToEnd(world, bscSenderOf(world))
  expect(await received()).toBe(USDT + 1n)
  expect(world.finals).toHaveLength(1)
})

test('the watcher books a payment of a held or waiting payout, regardless of earlier attempts', async () => {
  const id = await givenLostPayment()
  const other = await payUnknown({ nonce: 0, amount: 1n })
  await hold()
  await watch()
  await explain(other)
  await resume()
  expect(await stateOf(id)).toBe('waiting')
  expect(await stateOfAttempts(id)).toEqual(['expired'])
  await payUnknown({ nonce: 1 })
  await watch()
  expect(await stateOf(id)).toBe('final')
  await runToEnd(world, bscSenderOf(world))
  expect(await received()).toBe(USDT + 1n)
})

test('[T081] a payment recorded before its payout is tried is booked, even with expired attempts', async () => {
  const id = await givenLostPayment()
  await payUnknown({ nonce: 0, amount: 1n })
  const hash = await payUnknown({ nonce: 1 })
  await watch()
  // The signed attempt has expired, and an admin retries the payout.
  const { db } = database
  await db
    .updateTable('payout')
    .set({ state: 'waiting', wait_reason: 'HELD' })
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('send_attempt')
    .set({ state: 'expired', proof: { kind: 'test' }, ended_at: realClock.now() })
    .where('payout_id', '=', id)
    .execute()
  const end = inTransaction(db, (tx) => voidPayout(tx, id))
  await expect(end).rejects.toMatchObject({ code: 'PAYOUT_PAYMENT_FITS' })
  await retryPayout(adminDeps(world), { payoutId: id, adminId: 1n })
  await runToEnd(world, bscSenderOf(world, { timing: RESTLESS }))
  expect(await payoutRow(db, id)).toMatchObject({
    state: 'final',
    final_tx: Buffer.from(hexToBytes(hash)),
  })
  expect(await received()).toBe(USDT + 1n)
})

test('an amount is not returned while the books lag behind the chain, as after a restore', async () => {
  const { db } = database
  const id = await givenPayout()
  await watch()
  const end = () => inTransaction(db, (tx) => voidPayout(tx, id))
  const setCursor = (values: { observed_at: Date } | { final_number: bigint }) =>
    db.updateTable('chain_cursor').set(values).where('chain', '=', 'BSC').execute()
  const { observed_at, final_number } = await db
    .selectFrom('chain_cursor')
    .select(['observed_at', 'final_number'])
    .where('chain', '=', 'BSC')
    .executeTakeFirstOrThrow()

  await setCursor({ observed_at: new Date(observed_at.getTime() - 10 * 60_000) })
  await expect(end()).rejects.toMatchObject({ code: 'PAYOUT_CHAIN_UNREAD' })
  // Written while a clock was ahead, it proves nothing.
  await setCursor({ observed_at: new Date(observed_at.getTime() + 365 * 86_400_000) })
  await expect(end()).rejects.toMatchObject({ code: 'PAYOUT_CHAIN_UNREAD' })
  await setCursor({ observed_at })
  await setCursor({ final_number: final_number + 1n })
  await expect(end()).rejects.toMatchObject({ code: 'PAYOUT_CHAIN_UNREAD' })
  await setCursor({ final_number })
  await end()
  expect(await stateOf(id)).toBe('returned')
})

test('a wallet used before this database existed signs only once all its payments are read', async () => {
  await payUnknown({ nonce: 0, amount: 5n * USDT })
  const id = await givenPayout(5n * USDT)
  const sender = bscSenderOf(world, { timing: RESTLESS })
  await sender.step()
  expect(await payoutRow(database.db, id)).toMatchObject({ wait_reason: 'WATCHER_BEHIND' })
  await watch()
  const next = await givenPayout()
  await runToEnd(world, sender)
  expect(await stateOf(id)).toBe('final')
  expect(await stateOfAttempts(id)).toEqual([])
  expect((await attemptsOf(database.db, next)).map(({ nonce }) => nonce)).toEqual([1n])
  expect(await received()).toBe(6n * USDT)
})

test('an attached payment is checked on chain for asset, receiver, amount, sender and success, and used once', async () => {
  const paid = await givenPayout()
  const sender = bscSenderOf(world, { timing: RESTLESS })
  await runToEnd(world, sender)
  const used = `0x${(await payoutRow(database.db, paid)).final_tx?.toString('hex')}` as Hex

  const id = await givenPayout()
  const refusal = (txHash: Hex) =>
    attach(id, txHash).then(
      () => 'none',
      ({ code }) => code,
    )
  expect(await refusal(used)).toBe('MANUAL_PAYMENT_USED')
  expect(await refusal(`0x${'ab'.repeat(32)}`)).toBe('PAYMENT_NOT_ON_CHAIN')
  expect(await refusal(await payUnknown({ nonce: 1, amount: 2n }))).toBe(
    'MANUAL_PAYMENT_WRONG_AMOUNT',
  )
  const other = newBscKey()
  const elsewhere = await sendUsdt(host(), wallet.privateKey, { to: other.address, amount: USDT })
  await host().control.finalize()
  expect(await refusal(elsewhere)).toBe('MANUAL_PAYMENT_OTHER_RECIPIENT')
  await host().control.faucet({ bscAddress: other.address, bnb: '1' })
  const strange = await sendUsdt(host(), other.privateKey, { to: receiver, amount: USDT })
  expect(await refusal(strange)).toBe('PAYMENT_NOT_FINAL')
  await host().control.finalize()
  expect(await refusal(strange)).toBe('PAYMENT_NOT_OURS')
  expect(await stateOf(id)).toBe('waiting')

  const right = await payUnknown({ nonce: 3 })
  await attach(id, right)
  expect(await stateOf(id)).toBe('final')
  await expect(attach(await givenPayout(), right)).rejects.toMatchObject({
    code: 'MANUAL_PAYMENT_USED',
  })
})

test('nothing is attached while a transaction of the payout may still be mined', async () => {
  const id = await givenLostPayment()
  const former = newBscKey()
  await host().control.faucet({ bscAddress: former.address, usdt: '1', bnb: '1' })
  const hash = await sendUsdt(host(), former.privateKey, { to: receiver, amount: USDT })
  await host().control.finalize()
  const deps = { ...adminDeps(world), payoutWallets: [wallet.address, former.address] }
  const input = { payoutId: id, txHash: hash, adminId: 1n }
  await expect(attachPayment(deps, input)).rejects.toMatchObject({ code: 'PAYOUT_SIGNED' })
  expect(await stateOf(id)).toBe('sent')
})

test('an explained payment pays no payout, so the payout is paid', async () => {
  const id = await givenLostPayment()
  const other = await payUnknown({ nonce: 0, amount: 1n })
  const hash = await payUnknown({ nonce: 1 })
  await hold()
  await watch()
  await explain(other)
  await explain(hash)
  await resume()
  expect(await stateOf(id)).toBe('waiting')
  await runToEnd(world, bscSenderOf(world, { timing: RESTLESS }))
  expect(await stateOf(id)).toBe('final')
  expect(await received()).toBe(2n * USDT + 1n)
})

test('[T081] an earlier payment is booked even while a newer one of the same wallet is unexplained', async () => {
  await givenPayout(3n)
  await runToEnd(world, bscSenderOf(world, { timing: RESTLESS }))
  await payUnknown({ nonce: 1 })
  await payUnknown({ nonce: 2, amount: 7n })
  await watch()
  const first = await givenPayout(USDT + 1n)
  const paid = await givenPayout()
  const sender = bscSenderOf(world, { timing: RESTLESS })
  for (let steps = 0; steps < 3; steps += 1) await sender.step()
  expect([await stateOf(paid), await stateOf(first)]).toEqual(['final', 'waiting'])
  expect(await alarmKinds()).toContain('sender.held')
  expect(await received()).toBe(USDT + 10n)
})

test('[T081] after a restored dump nothing is signed while a payment that the books lost is unexplained', async () => {
  // The dump is from before this payment, and its claim is made again with another amount.
  const first = await givenPayout(3n)
  await runToEnd(world, bscSenderOf(world, { timing: RESTLESS }))
  const hash = await payUnknown({ nonce: 1, amount: 5n * USDT })
  const id = await givenPayout(6n * USDT)
  const sender = bscSenderOf(world, { timing: RESTLESS })
  await sender.step()
  await expect(resume()).rejects.toMatchObject({ code: 'SENDER_UNDECIDED' })
  await watch()
  await expect(resume()).rejects.toMatchObject({ code: 'SENDER_PAYMENT_FITS' })
  for (let steps = 0; steps < 3; steps += 1) await sender.step()
  expect([await stateOf(first), await stateOf(id)]).toEqual(['final', 'waiting'])
  expect(await received()).toBe(5n * USDT + 3n)

  await explain(hash)
  await resume()
  await runToEnd(world, sender)
  expect(await stateOf(id)).toBe('final')
})

test('a payment of a former wallet that belongs to no payout stops the current one too', async () => {
  const former = newBscKey()
  await host().control.faucet({ bscAddress: former.address, usdt: '1', bnb: '1' })
  const hash = await sendUsdt(host(), former.privateKey, { to: newBscKey().address, amount: 9n })
  const ofBoth = { ...world, formerWallets: [former.address] }
  await host().control.finalize()
  await bscWatcherOf(ofBoth, startBlock).catchUp()
  const id = await givenPayout()
  const sender = bscSenderOf(ofBoth, { timing: RESTLESS })
  await sender.step()
  expect(await payoutRow(database.db, id)).toMatchObject({ wait_reason: 'UNKNOWN_PAYMENT' })
  expect(await attemptsOf(database.db, id)).toEqual([])
  await explain(hash)
  await runToEnd(ofBoth, sender)
  expect(await stateOf(id)).toBe('final')
})
