import { createTronClient, NodeUnavailable } from '@dct/chain-clients'
import { deployPair, type TestPair } from '@dct/devnet/chains/testing/deploy-pair'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { parseUnits } from '@dct/money'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPairLoop, type PairReading } from '../../modules/pricing/index.ts'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { realClock } from '../../platform/clock.ts'
import { InvariantViolation } from '../../platform/errors.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { tronAddressHex } from '../../testing/sender-chains.ts'
import { givenUser } from '../../testing/users.ts'
import { openPair } from './price-pair.ts'

const host = useChainHost()
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const price = (text: string) => parseUnits(text, 8)
const units = (amount: number) => BigInt(amount) * 1_000_000n
const RULES = {
  windowMs: HOUR_MS,
  ...{ minimum: price('0.2'), maximum: price('10'), stepBps: 1_000n, leastUsdt: 1_000n },
}
let database: TestDatabase
let pair: TestPair
let readPair: () => Promise<PairReading>
let isLost = false
let loop: Loop
const clock = new ManualClock('2026-01-01T00:00:00Z')

beforeAll(async () => {
  database = await createTestDatabase()
  pair = await deployPair(host(), { dct: units(100_000), usdt: units(100_000) })
  await host().control.finalize()
  readPair = await openPair(source(), { ...pair, rules: RULES })
  clock.set((await readPair()).at)
  loop = createPairLoop({
    ...{ db: database.db, clock, rules: RULES, priceMaxAgeMs: 24 * HOUR_MS, pauseMs: 0 },
    readPair: () =>
      isLost ? Promise.reject(new NodeUnavailable('all nodes are lost')) : readPair(),
  })
}, 60_000)
afterAll(() => database?.drop())

function source() {
  const { tronUrl, tronJsonRpcUrl, deployment } = host()
  const reader = createTronClient({ http: { url: tronUrl }, jsonRpc: { url: tronJsonRpcUrl } })
  return { reader, token: tronAddressHex(deployment.tron.token), dctDecimals: 6 }
}

/** Moves the chain and the clock forward, and takes a sample every `between` minutes. */
async function passMinutes(count: number, between = 10): Promise<void> {
  for (let passed = 0; passed < count; passed += between) {
    const at = clock.now().getTime() + between * MINUTE_MS
    await host().control.advanceTo({ timestampMs: at })
    await host().control.finalize()
    clock.set(new Date(at))
    await loop.step()
  }
}

const prices = () =>
  database.db
    .selectFrom('setting_change')
    .select(['value as price', 'set_by', 'from_pair'])
    .orderBy('id', 'desc')
    .execute()
const present = async () => (await prices())[0]?.price
const alarms = async () =>
  (await openAlarms(database.db)).map(({ kind, message }) => `${kind}: ${message}`)

test('the price of a pair is adopted once half of the window is known, and a trade that is soon reversed does not move it', async () => {
  await passMinutes(30)
  expect(await prices()).toEqual([])
  await passMinutes(30)
  expect((await prices())[0]).toEqual({ price: price('1'), set_by: null, from_pair: true })
  await pair.trade('USDT', units(100_000))
  await passMinutes(10)
  const seen = await database.db.selectFrom('price_sample').select('price').execute()
  expect(seen.some((sample) => sample.price > price('3.9'))).toBe(true)
  await pair.trade('DCT', units(50_000))
  await passMinutes(90)
  expect(new Set((await prices()).map((row) => row.price))).toEqual(new Set([price('1')]))
  expect(await alarms()).toEqual([])
})

test('a lasting move is followed by at most one step a day, with an alarm', async () => {
  await pair.trade('USDT', units(22_475))
  await passMinutes(60)
  expect(await present()).toBe(price('1.1'))
  const [alarm] = await alarms()
  expect(alarm).toMatch(/^price\.bounded: The pair's price, 1\.5000\d+, .*: 1\.10000000 is used/)
  await passMinutes(24 * 60, 30)
  expect(await present()).toBe(price('1.21'))
})

test('a price outside of the configured bounds, or one that cannot be read, leaves the last price in force, with an alarm while it lasts', async () => {
  const before = await present()
  await pair.trade('USDT', units(300_000))
  await passMinutes(60)
  expect(await present()).toBe(before)
  expect(await alarms()).toContainEqual(
    expect.stringMatching(
      /^price\.source: The pair's price, 1\d\.\d+, is not between 0\.20000000 and 10\.00000000\. The last price remains in force/,
    ),
  )
  await pair.trade('DCT', units(70_000))
  await passMinutes(70)
  expect((await alarms()).join()).not.toContain('price.source')
  isLost = true
  const known = await present()
  await passMinutes(30)
  expect(await present()).toBe(known)
  expect((await alarms()).join()).toContain('The pair cannot be read: all nodes are lost.')
  isLost = false
  await passMinutes(10)
  expect((await alarms()).join()).not.toContain('price.source')
  // The chain has stopped.
  clock.advanceMs(12 * MINUTE_MS)
  await loop.step()
  expect((await alarms()).join()).toContain('The latest final block is 12 minutes old.')
  await passMinutes(10)
  expect((await alarms()).join()).not.toContain('price.source')
})

test('an admin’s price remains until an hour before it would be too old; the pair then moves it step by step', async () => {
  const { id: admin } = await givenUser({ db: database.db, clock, realClock }, { role: 'admin' })
  await database.db
    .insertInto('setting_change')
    .values({ kind: 'price', value: price('5'), set_by: admin, at: clock.now() })
    .execute()
  await passMinutes(22 * 60, 30)
  expect((await prices())[0]).toMatchObject({ price: price('5'), set_by: admin })
  await passMinutes(60, 30)
  expect((await prices())[0]).toEqual({ price: price('4.5'), set_by: null, from_pair: true })
})

test('an address that is not one of Tron is never sent to a node', async () => {
  for (const wrong of [{ address: 'T123' }, { usdt: 'T123' }]) {
    const given = { ...pair, ...wrong, rules: RULES }
    await expect(openPair(source(), given)).rejects.toBeInstanceOf(InvariantViolation)
  }
})

test('a pair of other tokens is refused with an error that names the setting', async () => {
  const { token } = host().deployment.tron
  const wrong = [
    { address: token, usdt: pair.usdt },
    { address: pair.address, usdt: token },
  ]
  for (const one of wrong) {
    await expect(openPair(source(), { ...one, rules: RULES })).rejects.toThrow(
      /^PRICE_PAIR \(T\w+\) is not a pair of TRON_TOKEN and USDT/,
    )
  }
})
