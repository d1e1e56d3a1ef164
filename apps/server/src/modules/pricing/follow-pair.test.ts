import { parseUnits } from '@dct/money'
import { beforeEach, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { givenUser } from '../../testing/users.ts'
import { createPairLoop } from './follow-pair.ts'
import { latestPrice } from './pricing.queries.ts'
import { setMoneySetting } from './set-money-setting.ts'

const HOUR_MS = 3_600_000
const START = '2026-01-01T00:00:00Z'
const database = useTestDatabase()
const clock = new ManualClock(START)
const price = (text: string) => parseUnits(text, 8)
let market = 0n
let block = 0n

beforeEach(async () => {
  await wipe(database.db)
  clock.set(START)
})

function loopOf(priceMaxAgeMs: number) {
  return createPairLoop({
    ...{ db: database.db, clock, priceMaxAgeMs, pauseMs: 0 },
    rules: {
      ...{ windowMs: HOUR_MS, minimum: price('0.1'), maximum: price('100') },
      ...{ stepBps: 1_000n, leastUsdt: 1n },
    },
    async readPair() {
      block += 1n
      return { block, at: clock.now(), price: market, usdt: 1_000_000n }
    },
  })
}

async function setByBoth(text: string) {
  const priceBounds = { minimum: 1n, maximum: price('1000'), maxStepBps: 2_000n }
  const deps = {
    ...{ db: database.db, clock, priceBounds },
    recordAdminAction: async () => undefined,
  }
  const people = { db: database.db, clock, realClock }
  const admins = [
    await givenUser(people, { role: 'admin' }),
    await givenUser(people, { role: 'admin' }),
  ]
  for (const { id: adminId } of admins) {
    await setMoneySetting(deps, { name: 'price', value: price(text), adminId })
  }
}

/** Passes hours, with four samples an hour. @returns the prices after each sample */
async function pass(loop: ReturnType<typeof loopOf>, hours: number): Promise<Set<bigint>> {
  const seen = new Set<bigint>()
  for (let quarter = 0; quarter < hours * 4; quarter += 1) {
    clock.advanceMs(HOUR_MS / 4)
    await loop.step()
    seen.add((await latestPrice(database.db, clock.now()))?.price ?? 0n)
  }
  return seen
}

test.each([
  ['rises', '1', '2', 24],
  ['falls', '2', '1', 24],
  ['rises, and prices are valid for two hours only', '1', '2', 2],
])(
  'when the market %s and two admins follow it, the pair, which agrees, never takes it back',
  async (_how, from, to, validHours) => {
    const loop = loopOf(validHours * HOUR_MS)
    market = price(from)
    expect(await pass(loop, 26)).toContain(price(from))
    market = price(to)
    await setByBoth(to)
    expect(await pass(loop, 52)).toEqual(new Set([price(to)]))
  },
)
