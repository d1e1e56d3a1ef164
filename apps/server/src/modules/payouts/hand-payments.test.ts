import { createEvmReader } from '@dct/chain-clients'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../platform/alarms.ts'
import { isViolationOf } from '../../platform/db.ts'
import { createTestDatabase, type TestDatabase, wipe } from '../../testing/database.ts'
import { bscWatcherOf } from '../../testing/payment-watchers.ts'
import { addressesOf, bscNodeOf, sendUsdt, usdtOf } from '../../testing/sender-chains.ts'
import {
  attemptsOf,
  bscSenderOf,
  givenUsdtPayout,
  payoutRow,
  runToEnd,
  type SenderWorld,
  senderWorld,
} from '../../testing/senders.ts'
import { givenUser } from '../../testing/users.ts'
import { createHandPaymentLoop, type HandPaymentDeps, nameHandPayment } from './index.ts'

const host = useChainHost()
const USDT = 10n ** 18n

let database: TestDatabase
let world: SenderWorld
let wallet: { privateKey: Hex; address: Hex }
let receiver: Hex
let adminId: bigint
let count = 0

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await wipe(database.db)
  wallet = newKey()
  receiver = newKey().address
  const payout = { bscPrivateKey: wallet.privateKey, bscAddress: wallet.address }
  const chains = { ...host(), serviceKeys: { ...host().serviceKeys, payout } }
  world = senderWorld(database.db, chains)
  await host().control.faucet({ bscAddress: wallet.address, usdt: '100', bnb: '1' })
  await host().control.finalize()
  const { db, clock } = world
  adminId = (await givenUser({ db, clock, realClock: clock }, { role: 'admin' })).id
})

function newKey(): { privateKey: Hex; address: Hex } {
  const privateKey = generatePrivateKey()
  return { privateKey, address: privateKeyToAddress(privateKey).toLowerCase() as Hex }
}

function givenPayout(amount = USDT) {
  count += 1
  return givenUsdtPayout(world, { to: receiver, amount, cause: `by hand:${count}` })
}

function deps(): HandPaymentDeps {
  const { usdt, payoutWallet } = addressesOf(world.chains)
  return {
    db: world.db,
    clock: world.clock,
    reader: createEvmReader({ url: world.chains.bscUrl }),
    usdt,
    payoutWallet,
    async onFinal(_tx, payout) {
      world.finals.push(payout)
    },
  }
}

const handLoop = (isManual = true) => createHandPaymentLoop({ ...deps(), isManual, lookEveryMs: 0 })
const name = (payoutId: bigint, txHash: Hex) =>
  nameHandPayment(deps(), { payoutId, txHash, adminId }, async () => undefined)
const received = () => usdtOf(host(), receiver)

test('in manual mode nothing is sent: what waits goes to the admins and stays theirs', async () => {
  const id = await givenPayout()
  await runToEnd(world, bscSenderOf(world, { isManual: true }))
  await handLoop().step()
  expect(await payoutRow(database.db, id)).toMatchObject({
    state: 'queued',
    is_by_hand: true,
    wait_reason: 'BY_HAND',
  })
  // Switched back, the sender leaves it alone: an admin may have paid it by now.
  await runToEnd(world, bscSenderOf(world))
  expect(await attemptsOf(database.db, id)).toEqual([])
  expect(await received()).toBe(0n)
  expect(await bscNodeOf(host()).nonceOf(wallet.address, 'latest')).toBe(0)

  const purse = newKey()
  await host().control.faucet({ bscAddress: purse.address, usdt: '1', bnb: '1' })
  const hash = await sendUsdt(host(), purse.privateKey, { to: receiver, amount: USDT })
  await host().control.finalize()
  expect(await name(id, hash)).toBe(true)
  expect(await payoutRow(database.db, id)).toMatchObject({ state: 'final' })
  expect(world.finals.map(({ txHash }) => txHash)).toEqual([hash])
})

test('what was signed before the switch is seen through by the sender, and cannot be paid by hand', async () => {
  const id = await givenPayout()
  await bscSenderOf(world).step()
  expect((await payoutRow(database.db, id)).state).toBe('signed')
  await handLoop().step()
  expect((await payoutRow(database.db, id)).is_by_hand).toBe(false)
  await runToEnd(world, bscSenderOf(world, { isManual: true }))
  expect((await payoutRow(database.db, id)).state).toBe('final')
  expect(await received()).toBe(USDT)
})

test('senders and the switch at once: each payout is sent or left to the admins, never both', async () => {
  const ids: bigint[] = []
  for (let at = 0; at < 20; at += 1) ids.push(await givenPayout())
  const senders = [bscSenderOf(world), bscSenderOf(world)].map((sender) => runToEnd(world, sender))
  await Promise.all([...senders, handLoop().step(), handLoop().step()])
  let sent = 0n
  for (const id of ids) {
    const { is_by_hand: isByHand } = await payoutRow(database.db, id)
    const attempts = await attemptsOf(database.db, id)
    expect(attempts.length > 0).toBe(!isByHand)
    if (!isByHand) sent += USDT
  }
  expect(await received()).toBe(sent)
})

test('the schema itself refuses a signed transaction for a payout by hand, and the way back', async () => {
  const { db } = database
  const [byHand, sent] = [await givenPayout(), await givenPayout()]
  await sql`update payout set is_by_hand = true where id = ${byHand}`.execute(db)
  await bscSenderOf(world).step()
  const [attempt] = await attemptsOf(db, sent)
  if (attempt === undefined) throw new Error('nothing was sent')
  const { id: _id, ...rest } = attempt
  const twin = { ...rest, payout_id: byHand, tx_hash: Buffer.alloc(32, 1) }
  for (const wrong of [
    () => db.insertInto('send_attempt').values(twin).execute(),
    () => sql`update payout set is_by_hand = false where id = ${byHand}`.execute(db),
    () => sql`update payout set is_by_hand = true where id = ${sent}`.execute(db),
    () => sql`update payout set state = 'signed' where id = ${byHand}`.execute(db),
  ]) {
    const error = await wrong().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(isViolationOf(error, 'payout_by_hand')).toBe(true)
  }
})

test('a transaction that the service sent for one payout pays no other by hand', async () => {
  const sent = await givenPayout()
  await runToEnd(world, bscSenderOf(world))
  const { final_tx: hash } = await payoutRow(database.db, sent)
  const id = await givenPayout()
  await handLoop().step()
  await expect(name(id, `0x${hash?.toString('hex') ?? ''}`)).rejects.toMatchObject({
    code: 'HAND_PAYMENT_USED',
  })
  expect((await payoutRow(database.db, id)).state).toBe('queued')
})

test('what an admin pays from the payout wallet itself is found without its hash', async () => {
  const id = await givenPayout()
  await handLoop().step()
  const { number: before } = await createEvmReader({ url: host().bscUrl }).finalHead()
  const hash = await sendUsdt(host(), wallet.privateKey, { to: receiver, amount: USDT })
  await host().control.finalize()
  await bscWatcherOf(world, before + 1n).catchUp()
  expect((await payoutRow(database.db, id)).state).toBe('final')
  expect((await openAlarms(database.db)).filter(({ kind }) => kind === 'payment.unknown')).toEqual(
    [],
  )
  expect(await name(id, hash)).toBe(true)
  expect(world.finals).toHaveLength(1)
})
