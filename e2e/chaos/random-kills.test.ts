import { afterAll, beforeAll, expect, test } from 'vitest'
import { PLANS } from './chaos-holder.ts'
import {
  addHolders,
  type ChaosWorld,
  DAYS_OF_A_ROUND,
  finishEverything,
  runRound,
  startChaosWorld,
} from './chaos-world.ts'
import { advance } from './devnet-time.ts'
import { killAtRandom } from './kill-at-random.ts'
import { createRandom } from './random.ts'
import { judge } from './verdict.ts'

const PATIENCE_MS = 300_000
const HOLDERS = 3
const KILLS = 6
const SEED = 20_260_110

let world: ChaosWorld

beforeAll(async () => {
  world = await startChaosWorld(createRandom(SEED))
  await addHolders(world, HOLDERS)
  await advance(world.infrastructure.url, DAYS_OF_A_ROUND)
}, PATIENCE_MS)
afterAll(() => world?.stop(), PATIENCE_MS)

test(
  `[T069, T035] ${KILLS} kills at random moments of a week's run, claims, fees and payouts do not change the result`,
  async () => {
    await Promise.all([runRound(world), killAtRandom(world, KILLS)])
    await finishEverything(world)
    const { doubles, losses, faults, payouts, bonuses } = await judge(world)
    expect({ doubles, losses, faults }).toEqual({ doubles: 0, losses: 0, faults: [] })
    expect(payouts).toBeGreaterThanOrEqual(HOLDERS * PLANS.length)
    expect(bonuses).toBeGreaterThan(0)
  },
  PATIENCE_MS,
)
