import { randomBytes } from 'node:crypto'
import { createEvmClient } from '@dct/chain-clients'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import {
  type BscSide,
  type ClaimsWorld,
  claim,
  claimRows,
  createClaimsWorld,
  get,
  givenHolder,
  givenMarket,
  post,
  receive,
  transferEvent,
} from '../../testing/claims.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { addressesOf, sendUsdt } from '../../testing/sender-chains.ts'
import type { TestUser } from '../../testing/users.ts'
import { bytesOf } from '../chain/index.ts'
import { createHintChecker } from './check-hints.ts'

const MINUTE = 60_000
const host = useChainHost()
const clock = new ManualClock('2026-03-01T03:00:00Z')
const database = useTestDatabase()
let bsc: BscSide
let world: ClaimsWorld
let holder: TestUser

beforeAll(async () => {
  const { usdt, feeReceiver: receiver, vault } = addressesOf(host())
  bsc = { url: host().bscUrl, usdt, receiver, vault }
  world = await createClaimsWorld(database.db, clock, bsc)
})
afterAll(() => world.app.close())
beforeEach(async () => {
  await wipe(database.db)
  await givenMarket(world)
  holder = await givenHolder(world)
  await claim(world, holder, 'FULL')
})

/** The checker as it runs this much real time later. */
function checkAfter(ms: number, url = bsc.url) {
  const later = new ManualClock(realClock.now())
  later.advanceMs(ms)
  const reader = createEvmClient({ url })
  return createHintChecker({ db: world.db, realClock: later, reader, usdt: bsc.usdt }).step()
}

const submit = (hash: string) =>
  post(world, holder, '/user/pay-claim-fee', {
    earning_plan_code: 'PLAN-360',
    tx_hash_usdt: hash,
  })
const hint = async () =>
  (await get(world, holder, '/user/pending-claim-fees')).body.pending_fees[0].hint
const unknownHash = () => `0x${randomBytes(32).toString('hex')}`

test('[T062] a hash that no node knows remains pending, and the holder is notified after ten minutes', async () => {
  expect((await submit(unknownHash())).status).toBe(202)
  expect(await checkAfter(9 * MINUTE)).toBe(true)
  expect(await hint()).toMatchObject({ is_checking: true, problem_code: null })
  await checkAfter(11 * MINUTE)
  expect(await hint()).toMatchObject({ is_checking: false, problem_code: 'PAYMENT_NOT_FOUND' })
})

test('[T062] while no node answers, no payment is reported as missing', async () => {
  await submit(unknownHash())
  await checkAfter(60 * MINUTE, 'http://127.0.0.1:9')
  expect(await hint()).toMatchObject({ is_checking: true })
})

test('a payment that was not final when submitted is explained once it is final', async () => {
  const privateKey = generatePrivateKey()
  const bscAddress = privateKeyToAddress(privateKey)
  await host().control.faucet({ bscAddress, usdt: '10', bnb: '1' })
  const hash = await sendUsdt(host(), privateKey, { to: bsc.receiver, amount: 5n })
  expect((await submit(hash)).status).toBe(202)
  await host().control.finalize()
  await checkAfter(MINUTE)
  expect(await hint()).toMatchObject({ is_checking: false, problem_code: 'PAYMENT_TOO_LITTLE' })
})

test('a new hash replaces the previous one', async () => {
  await submit(unknownHash())
  await checkAfter(11 * MINUTE)
  const second = unknownHash()
  await submit(second)
  expect(await hint()).toMatchObject({ tx_hash: second, is_checking: true })
})

test('[T068] an open fee keeps its receiver when another one is configured', async () => {
  const [open] = await claimRows(world)
  expect(open?.receiver).toEqual(bytesOf(bsc.receiver))
  const event = transferEvent(world, { value: open?.exact_amount ?? 0n, to: bsc.receiver })
  await receive(world, event, [`0x${'ee'.repeat(20)}`, bsc.receiver])
  expect((await claimRows(world))[0]?.state).toBe('paid')
})
