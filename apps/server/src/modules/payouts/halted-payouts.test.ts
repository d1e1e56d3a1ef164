import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../platform/database/db.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { runToEnd } from '../../testing/run-to-end.ts'
import { usdtOf } from '../../testing/sender-chains.ts'
import {
  bscSenderOf,
  givenRewardPayout,
  givenUsdtPayout,
  payoutRow,
  type SenderWorld,
  senderDeps,
  senderWorld,
  tronSenderOf,
} from '../../testing/senders.ts'
import { haltPayouts } from './hold-payouts.ts'
import { signOnce } from './sign-outside.ts'

const host = useChainHost()
const receiver = privateKeyToAddress(generatePrivateKey()).toLowerCase() as Hex
/** Millionths of a USDT, as claims state amounts. */
const AMOUNT = 7n * 10n ** 12n
const database = useTestDatabase()
let world: SenderWorld

beforeAll(async () => {
  world = senderWorld(database.db, host())
  const { bscAddress } = host().serviceKeys.payout
  await host().control.faucet({ bscAddress, usdt: '100', bnb: '1' })
  await host().control.finalize()
})

const at = new Date('2026-03-01T03:00:00Z')
const givenPayout = (cause: string) =>
  givenUsdtPayout(world, { to: receiver, amount: AMOUNT, cause })
const halt = (halts: Parameters<typeof haltPayouts>[1]['halts']) =>
  inTransaction(database.db, (tx) => haltPayouts(tx, { source: 'test', halts, at }))

test('a halt stops the payouts in its scope, later ones included, for as long as it lasts', async () => {
  const early = await givenPayout('early')
  await halt([{ scope: { kind: 'chain', chain: 'BSC' }, reason: 'the books differ' }])
  const late = await givenPayout('late')
  const sender = bscSenderOf(world)
  await runToEnd(world, sender)
  for (const id of [early, late]) {
    expect((await payoutRow(database.db, id)).state).toBe('waiting')
  }
  expect(await usdtOf(host(), receiver)).toBe(0n)

  await halt([])
  await runToEnd(world, sender)
  expect((await payoutRow(database.db, late)).state).toBe('final')
  expect(await usdtOf(host(), receiver)).toBe(2n * AMOUNT)
})

test('a halt of one payout or one plan does not affect the others', async () => {
  const [one, other] = [await givenPayout('one'), await givenPayout('other')]
  await halt([
    { scope: { kind: 'payout', payoutId: `${one}` }, reason: 'this one' },
    { scope: { kind: 'plan', planCode: 'PLAN-360' }, reason: 'that plan' },
  ])
  await runToEnd(world, bscSenderOf(world))
  expect((await payoutRow(database.db, one)).state).toBe('waiting')
  expect((await payoutRow(database.db, other)).state).toBe('final')
})

const setHalt = (chain: 'TRON' | 'BSC') =>
  database.db
    .insertInto('chain_halt')
    .values({
      chain,
      block_number: 5n,
      expected_hash: Buffer.alloc(32, 1),
      found_hash: Buffer.alloc(32, 2),
      halted_at: at,
      ended_at: null,
      changes: null,
    })
    .execute()
const endHalts = () => database.db.deleteFrom('chain_halt').execute()
const standing = async (id: bigint) => {
  const { state, wait_reason: waitsFor } = await payoutRow(database.db, id)
  return { state, waitsFor }
}

test('[T063] while a chain is halted, nothing is signed for it and no signed transaction is decided; afterwards both continue', async () => {
  await halt([])
  const to = privateKeyToAddress(generatePrivateKey()).toLowerCase() as Hex
  const sender = bscSenderOf(world)
  const given = (cause: string) => givenUsdtPayout(world, { to, amount: AMOUNT, cause })
  const signed = await given('signed before the halt')
  await sender.step()
  expect(await standing(signed)).toMatchObject({ state: 'sent' })
  await setHalt('BSC')
  const queued = await given('queued in the halt')
  await runToEnd(world, sender)
  expect(await standing(signed)).toEqual({ state: 'sent', waitsFor: null })
  expect(await standing(queued)).toEqual({ state: 'waiting', waitsFor: 'CHAIN_HALTED' })
  expect(await usdtOf(host(), to)).toBe(AMOUNT)

  await endHalts()
  await runToEnd(world, sender)
  expect((await standing(signed)).state).toBe('final')
  expect((await standing(queued)).state).toBe('final')
  expect(await usdtOf(host(), to)).toBe(2n * AMOUNT)
})

test('[T063] a halt of one chain stops only that chain’s sender', async () => {
  await setHalt('TRON')
  const usdt = await givenPayout('on the other chain')
  const dct = await givenRewardPayout(world, {
    to: receiver,
    amount: 1n,
    stakeId: 9n,
    planCode: 'PLAN-HALTED',
  })
  await runToEnd(world, tronSenderOf(world))
  await runToEnd(world, bscSenderOf(world))
  expect(await standing(dct)).toEqual({ state: 'waiting', waitsFor: 'CHAIN_HALTED' })
  expect((await standing(usdt)).state).toBe('final')
  await endHalts()
})

test('[T063] a payout that a sender picked up before a halt is not signed after it', async () => {
  const id = await givenPayout('picked up before the halt')
  const sender = host().serviceKeys.payout.bscAddress
  const target = { intent: { table: 'payout', id }, chain: 'BSC', sender, states: null } as const
  await setHalt('BSC')
  const outcome = await signOnce<number>(senderDeps(world), target, {
    lockNonce: async () => 0,
    sign: () => expect.unreachable('it was signed'),
    takeNonce: () => expect.unreachable('a nonce was taken'),
  })
  expect(outcome).toEqual({ kind: 'notNow' })
  expect(await standing(id)).toMatchObject({ state: 'waiting' })
  await endHalts()
})
