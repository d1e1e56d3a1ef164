import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { usdtOf } from '../../testing/sender-chains.ts'
import {
  bscSenderOf,
  givenUsdtPayout,
  payoutRow,
  runToEnd,
  type SenderWorld,
  senderWorld,
} from '../../testing/senders.ts'
import { haltPayouts } from './hold-payouts.ts'
import { moveIntent } from './intents.queries.ts'

const host = useChainHost()
const receiver = privateKeyToAddress(generatePrivateKey()).toLowerCase() as Hex
let database: TestDatabase
let world: SenderWorld

beforeAll(async () => {
  database = await createTestDatabase()
  world = senderWorld(database.db, host())
  const { bscAddress } = host().serviceKeys.payout
  await host().control.faucet({ bscAddress, usdt: '100', bnb: '1' })
  await host().control.finalize()
})
afterAll(() => database.drop())

const at = new Date('2026-03-01T03:00:00Z')
const givenPayout = (cause: string) => givenUsdtPayout(world, { to: receiver, amount: 7n, cause })
const halt = (halts: Parameters<typeof haltPayouts>[1]['halts']) =>
  inTransaction(database.db, (tx) => haltPayouts(tx, { source: 'test', halts, at }))
const retry = (id: bigint) =>
  inTransaction(database.db, (tx) => moveIntent(tx, { table: 'payout', id }, 'queued'))
const facts = async (id: bigint) => {
  const { state, held_note: note } = await payoutRow(database.db, id)
  return { state, note }
}

test('while a halt stands, payouts of its scope are held, those that come later too; then a retry pays', async () => {
  const early = await givenPayout('early')
  await halt([{ scope: { kind: 'chain', chain: 'BSC' }, reason: 'the books differ' }])
  expect(await facts(early)).toEqual({ state: 'held', note: 'the books differ' })
  const late = await givenPayout('late')
  await retry(early)
  const sender = bscSenderOf(world)
  await runToEnd(world, sender)
  for (const id of [early, late]) {
    expect(await facts(id)).toEqual({ state: 'held', note: 'the books differ' })
  }
  expect(await usdtOf(host(), receiver)).toBe(0n)

  await halt([])
  expect((await facts(late)).state).toBe('held')
  await retry(late)
  await runToEnd(world, sender)
  expect((await facts(late)).state).toBe('final')
  expect(await usdtOf(host(), receiver)).toBe(7n)
})

test('a halt of one payout, or of a plan, leaves the others alone', async () => {
  const [one, other] = [await givenPayout('one'), await givenPayout('other')]
  await halt([
    { scope: { kind: 'payout', payoutId: `${one}` }, reason: 'this one' },
    { scope: { kind: 'plan', planCode: 'PLAN-360' }, reason: 'that plan' },
  ])
  await runToEnd(world, bscSenderOf(world))
  expect((await facts(one)).state).toBe('held')
  expect((await facts(other)).state).toBe('final')
})
