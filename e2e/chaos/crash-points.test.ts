import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  CRASH_STEPS,
  type CrashStep,
  RARE_CRASH_STEPS,
} from '../../apps/server/src/modules/payouts/crash-point.ts'
import { type ChaosHolder, type Fee, PLANS } from './chaos-holder.ts'
import {
  addHolders,
  approveBonuses,
  type ChaosWorld,
  DAYS_OF_A_ROUND,
  finishEverything,
  startAgain,
  startChaosWorld,
} from './chaos-world.ts'
import { advance, settle } from './devnet-time.ts'
import { createRandom } from './random.ts'
import { crashAfterFeeBump } from './rare-crashes.ts'
import { judge } from './verdict.ts'

const PATIENCE_MS = 300_000
const HOLDERS = 3
const SEED = 20_260_110

let world: ChaosWorld

beforeAll(async () => {
  world = await startChaosWorld(createRandom(SEED))
  await addHolders(world, HOLDERS)
  await advance(world.infrastructure.url, DAYS_OF_A_ROUND)
}, PATIENCE_MS)
afterAll(() => world?.stop(), PATIENCE_MS)

/** The steps at which the server is killed during one payout: it crashes at the next one after each restart. */
const STEPS_OF_ONE_PAYOUT = [
  'before-sign',
  'after-sign-before-save',
  'after-save',
  'after-mined',
] as const satisfies CrashStep[]
/** A restarted server sends a stored transaction without reaching this step, so it needs a second payout. */
const STEP_OF_ANOTHER = 'after-broadcast'

/** From these steps on, only the worker may run, because a watcher would book the sent payment first. */
const STEPS_AFTER_SENDING: readonly CrashStep[] = STEPS_OF_ONE_PAYOUT.slice(3)
const processFor = (step: CrashStep) => (STEPS_AFTER_SENDING.includes(step) ? 'worker' : 'all')

/** Crashes the server at each step of the one payout that `act` causes. `act` gets its response once the server is healthy. */
async function crashAtEachStep<T>(act: () => Promise<T>): Promise<T> {
  const [first, ...others] = STEPS_OF_ONE_PAYOUT
  await world.server.kill()
  world.server.start({ crashAt: first })
  await world.server.untilHealthy()
  const acting = act()
  await world.server.crashed()
  for (const step of others) {
    world.server.start({ crashAt: step, process: processFor(step) })
    await world.server.crashed()
  }
  await startAgain(world)
  return acting
}

/** Pays a fee while no server runs. The server that finds the payment crashes after sending the rest of the claim. */
async function crashAtFee(holder: ChaosHolder, fee: Fee): Promise<void> {
  await world.server.kill()
  await holder.pay(fee, { submitsHash: false })
  world.server.start({ crashAt: STEP_OF_ANOTHER })
  await world.server.crashed()
  await startAgain(world)
}

/** Crashes the server after it has sent the USDT of an approved referral claim. */
async function crashAtApproval(): Promise<void> {
  await world.server.kill()
  world.server.start({ crashAt: STEP_OF_ANOTHER })
  await world.server.untilHealthy()
  const approving = approveBonuses(world)
  await world.server.crashed()
  await startAgain(world)
  await approving
}

/** Creates a pending referral claim: `payer` pays a fee, and `earner` claims the reward for it. */
async function givenBonus(payer: ChaosHolder, earner: ChaosHolder, planCode: string) {
  const fee = await payer.claim(planCode, 'FULL')
  if (fee === undefined) throw new Error('there was nothing to claim')
  await payer.pay(fee, { submitsHash: true })
  await settle(world.infrastructure.url)
  await earner.claimBonus()
}

async function expectNoFault() {
  await settle(world.infrastructure.url)
  const { doubles, losses, payouts, bonuses, faults } = await judge(world)
  expect({ doubles, losses, faults }).toEqual({ doubles: 0, losses: 0, faults: [] })
  return { payouts, bonuses }
}

test(
  '[T069] a server killed at each step of a payout in turn pays both parts of claims exactly once',
  async () => {
    const [holder] = world.holders
    const [plan] = PLANS
    if (!holder) throw new Error('not enough holders')
    expect([...STEPS_OF_ONE_PAYOUT, STEP_OF_ANOTHER].toSorted()).toEqual(CRASH_STEPS.toSorted())
    const fee = await crashAtEachStep(() => holder.claim(plan.code, 'HALF'))
    if (fee === undefined) throw new Error('there was nothing to claim')
    await settle(world.infrastructure.url)
    await crashAtFee(holder, fee)
    expect((await expectNoFault()).payouts).toBe(2)
  },
  PATIENCE_MS,
)

test(
  '[T069] a server killed at each step of a referral payout in turn sends the USDT exactly once',
  async () => {
    const [earner, payer] = world.holders
    const [short, long] = PLANS
    if (!earner || !payer) throw new Error('not enough holders')
    await finishEverything(world)
    const { bonuses: before } = await judge(world)
    await givenBonus(payer, earner, short.code)
    await crashAtEachStep(() => approveBonuses(world))
    await settle(world.infrastructure.url)
    await givenBonus(payer, earner, long.code)
    await crashAtApproval()
    expect((await expectNoFault()).bonuses).toBe(before + 2)
  },
  PATIENCE_MS,
)

test(
  '[T069, T072] a server killed after a fee bump pays exactly once',
  async () => {
    const [first, second] = world.holders
    const [short] = PLANS.map(({ code }) => code)
    if (!first || !second || !short) throw new Error('not enough holders')
    await finishEverything(world)
    const { bonuses: before } = await judge(world)
    await advance(world.infrastructure.url, DAYS_OF_A_ROUND)
    await givenBonus(second, first, short)
    await crashAfterFeeBump(world)
    expect((await expectNoFault()).bonuses).toBe(before + RARE_CRASH_STEPS.length)
  },
  PATIENCE_MS,
)
