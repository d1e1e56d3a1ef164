import { createEvmClient } from '@dct/chain-clients'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../../platform/alarms/alarms.ts'
import { isViolationOf } from '../../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
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
  type SenderWorld,
} from '../../../testing/senders.ts'
import { givenUser } from '../../../testing/users.ts'
import { recordOwnAddresses } from '../../chain/index.ts'
import { createManualPaymentLoop, type ManualPaymentDeps, submitManualPayment } from '../index.ts'
import { attachPayment } from './attach-payment.ts'

const host = useChainHost()
const USDT = 10n ** 18n

const database = useTestDatabase()
let world: SenderWorld
let wallet: BscKey
let receiver: Hex
let adminId: bigint
let count = 0

beforeEach(async () => {
  await wipe(database.db)
  ;({ wallet, world } = await givenWalletWorld(database.db, host()))
  receiver = newBscKey().address
  await host().control.finalize()
  const { db, clock } = world
  adminId = (await givenUser({ db, clock, realClock: clock }, { role: 'admin' })).id
})

function givenPayout(amount = USDT) {
  count += 1
  return givenUsdtPayout(world, { to: receiver, amount, cause: `manual:${count}` })
}

function deps(): ManualPaymentDeps {
  const { usdt, payoutWallet } = addressesOf(world.chains)
  return {
    db: world.db,
    clock: world.clock,
    reader: createEvmClient({ url: world.chains.bscUrl }),
    usdt,
    payoutWallets: [payoutWallet],
    adminWallets: world.adminWallets,
    async onFinal(_tx, payout) {
      world.finals.push(payout)
    },
  }
}

const manualLoop = (isManual = true) =>
  createManualPaymentLoop({ ...deps(), isManual, recheckMs: 0 })
const name = (payoutId: bigint, txHash: Hex) =>
  submitManualPayment(deps(), { payoutId, txHash, adminId }, async () => undefined)
const received = () => usdtOf(host(), receiver)

test('in manual mode nothing is sent: waiting payouts become manual and remain so', async () => {
  const id = await givenPayout()
  await runToEnd(world, bscSenderOf(world, { isManual: true }))
  await manualLoop().step()
  expect(await payoutRow(database.db, id)).toMatchObject({
    state: 'waiting',
    is_manual: true,
    wait_reason: 'MANUAL',
  })
  // After switching back the sender still ignores it, because an admin may have paid it already.
  await runToEnd(world, bscSenderOf(world))
  expect(await attemptsOf(database.db, id)).toEqual([])
  expect(await received()).toBe(0n)
  expect(await bscNodeOf(host()).nonceOf(wallet.address, 'latest')).toBe(0)

  const purse = newBscKey()
  await host().control.faucet({ bscAddress: purse.address, usdt: '1', bnb: '1' })
  const hash = await sendUsdt(host(), purse.privateKey, { to: receiver, amount: USDT })
  await host().control.finalize()
  expect(await name(id, hash)).toBe(true)
  expect(await payoutRow(database.db, id)).toMatchObject({ state: 'final' })
  expect(world.finals.map(({ txHash }) => txHash)).toEqual([hash])
})

test('a payout signed before the switch is completed by the sender and cannot be paid manually', async () => {
  const id = await givenPayout()
  await bscSenderOf(world).step()
  expect((await payoutRow(database.db, id)).state).toBe('sent')
  await manualLoop().step()
  expect((await payoutRow(database.db, id)).is_manual).toBe(false)
  await runToEnd(world, bscSenderOf(world, { isManual: true }))
  expect((await payoutRow(database.db, id)).state).toBe('final')
  expect(await received()).toBe(USDT)
})

test('when the mode is switched while senders run, each payout is either sent or manual, never both', async () => {
  const ids: bigint[] = []
  for (let at = 0; at < 20; at += 1) ids.push(await givenPayout())
  const senders = [bscSenderOf(world), bscSenderOf(world)].map((sender) => runToEnd(world, sender))
  await Promise.all([...senders, manualLoop().step(), manualLoop().step()])
  let sent = 0n
  for (const id of ids) {
    const { is_manual: isManual } = await payoutRow(database.db, id)
    const attempts = await attemptsOf(database.db, id)
    expect(attempts.length > 0).toBe(!isManual)
    if (!isManual) sent += USDT
  }
  expect(await received()).toBe(sent)
})

test('the schema refuses a signed transaction for a manual payout, and making it automatic again', async () => {
  const { db } = database
  const [manual, sent] = [await givenPayout(), await givenPayout()]
  await sql`update payout set is_manual = true where id = ${manual}`.execute(db)
  await bscSenderOf(world).step()
  const [attempt] = await attemptsOf(db, sent)
  if (attempt === undefined) throw new Error('nothing was sent')
  const { id: _id, ...rest } = attempt
  const twin = { ...rest, payout_id: manual, tx_hash: Buffer.alloc(32, 1) }
  for (const wrong of [
    () => db.insertInto('send_attempt').values(twin).execute(),
    () => sql`update payout set is_manual = false where id = ${manual}`.execute(db),
    () => sql`update payout set is_manual = true where id = ${sent}`.execute(db),
    () => sql`update payout set state = 'sent' where id = ${manual}`.execute(db),
  ]) {
    const error = await wrong().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(isViolationOf(error, 'payout_manual')).toBe(true)
  }
})

test('a transaction that the service sent for one payout cannot pay a manual one', async () => {
  const sent = await givenPayout()
  await runToEnd(world, bscSenderOf(world))
  const { final_tx: hash } = await payoutRow(database.db, sent)
  const id = await givenPayout()
  await manualLoop().step()
  await expect(name(id, `0x${hash?.toString('hex') ?? ''}`)).rejects.toMatchObject({
    code: 'MANUAL_PAYMENT_USED',
  })
  expect((await payoutRow(database.db, id)).state).toBe('waiting')
})

/** A configured admin wallet with USDT. */
async function givenPurse() {
  const purse = newBscKey()
  await host().control.faucet({ bscAddress: purse.address, usdt: '5', bnb: '1' })
  await host().control.finalize()
  const { number } = await createEvmClient({ url: host().bscUrl }).finalHead()
  world = { ...world, adminWallets: [purse.address] }
  const used = [{ role: 'admin_wallet', address: purse.address }] as const
  await recordOwnAddresses(database.db, used, world.clock.now())
  const pay = async (amount = USDT) => {
    const hash = await sendUsdt(host(), purse.privateKey, { to: receiver, amount })
    await host().control.finalize()
    return hash
  }
  const watch = () => bscWatcherOf(world, number + 1n).catchUp()
  return { pay, watch }
}

async function givenManualPayout() {
  const id = await givenPayout()
  await manualLoop().step()
  return id
}

test('[T081] a restored backup recovers a payment from an admin’s own wallet', async () => {
  const { pay, watch } = await givenPurse()
  const id = await givenManualPayout()
  // The hash is submitted after the backup, so the restored database lacks it.
  const hash = await pay()
  await watch()
  expect(await payoutRow(database.db, id)).toMatchObject({ state: 'final' })
  expect(world.finals).toMatchObject([{ txHash: hash, isFromOwner: true }])
  // Submitting it again changes nothing.
  expect(await name(id, hash)).toBe(true)
  expect(world.finals).toHaveLength(1)
})

test('[T081] a claim repeated after a restore is held, because an admin has already paid exactly this amount', async () => {
  const { pay, watch } = await givenPurse()
  const hash = await pay()
  await pay(3n)
  await watch()
  expect(await openAlarms(database.db)).toEqual([])
  count += 1
  const facts = { to: receiver, amount: USDT, cause: `manual:${count}`, isManual: true }
  const id = await givenUsdtPayout(world, facts)
  expect(await payoutRow(database.db, id)).toMatchObject({
    wait_reason: 'HELD',
    wait_detail: expect.stringContaining(hash),
  })
  await attachPayment(adminDeps(world), { payoutId: id, txHash: hash, adminId })
  expect(world.finals).toMatchObject([{ txHash: hash, isFromOwner: true }])
  expect((await payoutRow(database.db, id)).state).toBe('final')
  const next = await givenUsdtPayout(world, { ...facts, cause: 'manual:next' })
  expect((await payoutRow(database.db, next)).state).toBe('waiting')
})

test('[T081] a claim repeated before its old payment is read is held at that point, not counted as paid', async () => {
  const { pay, watch } = await givenPurse()
  const hash = await pay()
  const later = new Date(world.clock.now().getTime() + 11 * 60_000)
  world = { ...world, clock: { now: () => later } }
  count += 1
  const facts = { to: receiver, amount: USDT, cause: `manual:${count}`, isManual: true }
  const id = await givenUsdtPayout(world, facts)
  await watch()
  expect(await payoutRow(database.db, id)).toMatchObject({
    wait_reason: 'HELD',
    wait_detail: expect.stringContaining(hash),
  })
  expect(world.finals).toEqual([])
})

test('[T063] while BSC is halted a manual payment is not checked; afterwards it is', async () => {
  const { pay } = await givenPurse()
  const id = await givenManualPayout()
  const hash = await pay()
  const { db } = database
  await sql`insert into chain_halt (chain, block_number, expected_hash, found_hash, halted_at)
    values ('BSC', 5, ${Buffer.alloc(32, 1)}, ${Buffer.alloc(32, 2)}, now())`.execute(db)
  expect(await name(id, hash)).toBe(false)
  await manualLoop().step()
  expect((await payoutRow(db, id)).state).toBe('waiting')
  await sql`delete from chain_halt`.execute(db)
  await manualLoop().step()
  expect((await payoutRow(db, id)).state).toBe('final')
})

test('where admin wallets are configured, a payment from another wallet is refused', async () => {
  await givenPurse()
  const id = await givenManualPayout()
  const other = newBscKey()
  await host().control.faucet({ bscAddress: other.address, usdt: '1', bnb: '1' })
  const hash = await sendUsdt(host(), other.privateKey, { to: receiver, amount: USDT })
  await host().control.finalize()
  await expect(name(id, hash)).rejects.toMatchObject({ code: 'MANUAL_PAYMENT_OTHER_WALLET' })
  expect((await payoutRow(database.db, id)).state).toBe('waiting')
})

test('an admin’s payment from the payout wallet is found without its hash', async () => {
  const id = await givenPayout()
  await manualLoop().step()
  const { number: before } = await createEvmClient({ url: host().bscUrl }).finalHead()
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
