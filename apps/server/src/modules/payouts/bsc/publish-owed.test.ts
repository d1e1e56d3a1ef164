import type { EvmNode } from '@dct/chain-clients'
import { encodeCall, selectorsOf } from '@dct/chain-clients/senders/index'
import { payoutVaultAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { decodeFunctionResult, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../../platform/alarms/alarms.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { type FaultyProxy, isBroadcast, startFaultyProxy } from '../../../testing/faulty-proxy.ts'
import { givenVaultWorld, newBscKey } from '../../../testing/fresh-sender-world.ts'
import { runToEnd } from '../../../testing/run-to-end.ts'
import { bscNodeOf, usdtOf } from '../../../testing/sender-chains.ts'
import {
  bscSenderOf,
  givenUsdtPayout,
  payoutRow,
  RESTLESS,
  type SenderWorld,
} from '../../../testing/senders.ts'
import { requestOperatorCall } from '../index.ts'
import { openCalls } from '../manage-calls.ts'
import { finishDoneCall } from '../operator-calls.ts'

const DAY = '2026-01-30'
const USDT = 10n ** 18n
const [FIRST, SECOND]: readonly Hex[] = [`0x${'aa'.repeat(32)}`, `0x${'bb'.repeat(32)}`]

const host = useChainHost()
const database = useTestDatabase()
let proxy: FaultyProxy
let world: SenderWorld
let vault: Hex

beforeAll(async () => {
  proxy = await startFaultyProxy(host().bscUrl)
})
afterAll(() => proxy.stop())
beforeEach(async () => {
  await wipe(database.db)
  proxy.setFaults(() => 'none')
  ;({ vault, world } = await givenVaultWorld(database.db, host()))
  await host().control.finalize()
})

const request = (root = FIRST ?? '0x', cause = `owed:${DAY}`) =>
  inTransaction(database.db, (tx) => {
    const call = { kind: 'publishOwed', day: DAY, root, sum: 9n * USDT } as const
    return requestOperatorCall(tx, { cause, call, at: world.clock.now() })
  })

/** What the vault states of the day, in the newest block. */
async function stated() {
  const data = encodeCall(payoutVaultAbi, 'owedOn', [20_260_130n])
  const outcome = await bscNodeOf(host()).simulate({ from: vault, to: vault, data })
  const output = outcome.succeeded ? outcome.output : '0x'
  return decodeFunctionResult({ abi: payoutVaultAbi, functionName: 'owedOn', data: output })
}

const attempts = () => database.db.selectFrom('send_attempt').selectAll().orderBy('id').execute()

test('what is owed is published once a day, however often that is requested', async () => {
  await request()
  await request()
  await Promise.all([runToEnd(world, bscSenderOf(world)), runToEnd(world, bscSenderOf(world))])
  expect(await stated()).toEqual({ root: FIRST, sum: 9n * USDT, times: 1n })
  expect((await attempts()).map(({ state }) => state)).toEqual(['confirmed'])
  expect(await openCalls(database.db)).toEqual([])
})

test('a publication that another process has just sent ends by its own transaction', async () => {
  await request()
  const sender = bscSenderOf(world)
  await sender.step()
  await host().control.finalize()
  const [call] = await openCalls(database.db)
  // As a process would that had listed the call before it was sent, and found it stated after.
  await finishDoneCall(database.db, async () => undefined, {
    id: call?.id ?? 0n,
    at: world.clock.now(),
  })
  expect((await attempts()).map(({ state }) => state)).toEqual(['pending'])
  await runToEnd(world, sender)
  expect((await attempts()).map(({ state }) => state)).toEqual(['confirmed'])
  expect(await openCalls(database.db)).toEqual([])
})

test('books that were restored publish nothing where the vault states the same, and else a visible correction', async () => {
  await request()
  await runToEnd(world, bscSenderOf(world))
  await request(FIRST, 'after a restore')
  await runToEnd(world, bscSenderOf(world))
  expect(await stated()).toMatchObject({ root: FIRST, times: 1n })
  await request(SECOND, 'after another restore')
  await runToEnd(world, bscSenderOf(world))
  expect(await stated()).toMatchObject({ root: SECOND, times: 2n })
})

test('a publication that the vault refuses holds no payment, and is told of', async () => {
  await request()
  const receiver = newBscKey().address
  const id = await givenUsdtPayout(world, { to: receiver, amount: USDT, cause: 'referral:1' })
  const [selector = '0x'] = selectorsOf(payoutVaultAbi, ['publishOwed'])
  const node = bscNodeOf(host())
  const refusing: EvmNode = {
    ...node,
    simulate: async (call) =>
      call.data.startsWith(selector)
        ? { succeeded: false, revert: '0x', message: '' }
        : node.simulate(call),
  }
  await runToEnd(world, bscSenderOf(world, { node: refusing }))
  expect(await usdtOf(host(), receiver)).toBe(USDT)
  expect((await payoutRow(database.db, id)).state).toBe('final')
  expect(await openCalls(database.db)).toMatchObject([{ state: 'waiting', wait_reason: 'REFUSED' }])
  expect((await openAlarms(database.db)).map(({ kind }) => kind)).toEqual(['payout.waiting'])
})

test('a publication that is not mined is replaced at its own nonce within the cap, and takes effect once', async () => {
  const shaky = { ...world, chains: { ...world.chains, bscUrl: proxy.url } }
  await request()
  const price = await bscNodeOf(host()).gasPrice()
  const limits = {
    timing: { ...RESTLESS, replaceAfterMs: 0 },
    maxGasPrice: price + price / 2n,
  }
  const sender = bscSenderOf(shaky, limits)
  proxy.setFaults((sent) => (isBroadcast(sent) ? 'lose-request' : 'none'))
  for (let steps = 0; steps < 6; steps += 1) await sender.step()
  const variants = await attempts()
  expect(variants.length).toBeGreaterThan(2)
  expect(new Set(variants.map(({ nonce }) => nonce))).toEqual(new Set([0n]))
  for (const { gas_price } of variants) expect(gas_price).toBeLessThanOrEqual(limits.maxGasPrice)
  proxy.setFaults(() => 'none')
  await runToEnd(shaky, sender)
  expect(await stated()).toMatchObject({ root: FIRST, times: 1n })
  expect((await attempts()).filter(({ state }) => state === 'confirmed')).toHaveLength(1)
  expect((await attempts()).filter(({ state }) => state === 'pending')).toEqual([])
  expect(await openAlarms(database.db)).toEqual([])
})
