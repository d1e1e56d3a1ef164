import { afterAll, beforeAll, expect, test } from 'vitest'
import { CRASH_STEPS, type CrashStep } from '../../apps/server/src/modules/payouts/crash-point.ts'
import { type ChaosHolder, type Fee, PLANS } from './chaos-holder.ts'
import {
  addHolders,
  approveBonuses,
  type ChaosWorld,
  DAYS_OF_A_ROUND,
  finishEverything,
  liveOneRound,
  startChaosWorld,
} from './chaos-world.ts'
import { advance, settle } from './devnet-time.ts'
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
afterAll(() => world.stop(), PATIENCE_MS)

async function expectOwnKill(step: CrashStep) {
  expect([step, await world.server.ended()]).toEqual([step, { code: null, signal: 'SIGKILL' }])
}

async function startAgain() {
  world.server.start()
  await world.server.untilHealthy()
}

/** The server dies while it sends the half that a claim makes due at once. */
async function crashAtClaim(step: CrashStep, holder: ChaosHolder, planCode: string): Promise<Fee> {
  await world.server.kill()
  world.server.start({ crashAt: step })
  await world.server.untilHealthy()
  const claiming = holder.claim(planCode, 'HALF')
  await expectOwnKill(step)
  await startAgain()
  const fee = await claiming
  if (fee === undefined) throw new Error(`${step}: there was nothing to claim`)
  return fee
}

/** A fee is paid while no server runs; the one that finds it dies while it sends the rest. */
async function crashAtFee(step: CrashStep, holder: ChaosHolder, fee: Fee): Promise<void> {
  await world.server.kill()
  await holder.pay(fee, { tells: false })
  world.server.start({ crashAt: step })
  await expectOwnKill(step)
  await startAgain()
}

/** Without a watcher beside it, it is the sender that books a payment; it dies while it does. */
async function crashAtBooking(step: CrashStep, holder: ChaosHolder, planCode: string) {
  await holder.claim(planCode, 'HALF')
  await world.server.kill()
  world.server.start({ crashAt: step, process: 'worker' })
  await expectOwnKill(step)
  await startAgain()
}

/** The server dies on the way from an approval to the USDT that it makes due. */
async function crashAtApproval(step: CrashStep): Promise<void> {
  await world.server.kill()
  world.server.start({ crashAt: step })
  await world.server.untilHealthy()
  const approving = approveBonuses(world)
  await expectOwnKill(step)
  await startAgain()
  await approving
}

/** As with rewards: without a watcher it is the sender that books the USDT. */
async function crashAtUsdtBooking(step: CrashStep): Promise<void> {
  await approveBonuses(world)
  await world.server.kill()
  world.server.start({ crashAt: step, process: 'worker' })
  await expectOwnKill(step)
  await startAgain()
}

/** One more claim of referral rewards that waits: a fee is paid below, and what it brought is claimed. */
async function givenBonus(payer: ChaosHolder, earner: ChaosHolder, planCode: string) {
  const fee = await payer.claim(planCode, 'FULL')
  if (fee === undefined) throw new Error('there was nothing to claim')
  await payer.pay(fee, { tells: true })
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
  '[T069] a server that dies at each step of a payout in turn pays claims and rests exactly once',
  async () => {
    const [first, second, third] = world.holders
    const [short, long] = PLANS.map(({ code }) => code)
    if (!first || !second || !third || !short || !long) throw new Error('people are missing')
    const one = await crashAtClaim('before-sign', first, short)
    await crashAtFee('after-sign-before-save', first, one)
    const two = await crashAtClaim('after-save', first, long)
    await crashAtFee('after-broadcast', first, two)
    await crashAtClaim('after-mined', second, short)
    await crashAtBooking('before-final-booking', second, long)
    await crashAtBooking('after-final-booking', third, short)
    const forced = ['before-sign', 'after-sign-before-save', 'after-save', 'after-broadcast']
    expect(CRASH_STEPS).toEqual([
      ...forced,
      'after-mined',
      'before-final-booking',
      'after-final-booking',
    ])
    expect((await expectNoFault()).payouts).toBe(7)
  },
  PATIENCE_MS,
)

test(
  '[T069] a server that dies at each step of a referral payout in turn sends the USDT exactly once',
  async () => {
    const [first, second, third] = world.holders
    if (!first || !second || !third) throw new Error('people are missing')
    await finishEverything(world)
    const { bonuses: before } = await judge(world)
    // Each week brings four fees whose payers stand below somebody.
    const places = [second, third].flatMap((payer) => PLANS.map(({ code }) => ({ payer, code })))
    for (const [at, step] of CRASH_STEPS.entries()) {
      const place = places[at % places.length]
      if (place === undefined) throw new Error('there are no places')
      if (at % places.length === 0) await advance(world.infrastructure.url, DAYS_OF_A_ROUND)
      await givenBonus(place.payer, place.payer === second ? first : second, place.code)
      if (step.endsWith('final-booking')) await crashAtUsdtBooking(step)
      else await crashAtApproval(step)
    }
    expect((await expectNoFault()).bonuses).toBe(before + CRASH_STEPS.length)
  },
  PATIENCE_MS,
)

test(
  `[T069, T035] ${KILLS} kills at random moments of a week's run, claims, fees and payouts change nothing`,
  async () => {
    await Promise.all([liveOneRound(world), killAtRandom(world, KILLS)])
    await finishEverything(world)
    const { payouts, bonuses } = await expectNoFault()
    expect(payouts).toBeGreaterThan(7 + HOLDERS * PLANS.length)
    expect(bonuses).toBeGreaterThan(CRASH_STEPS.length)
  },
  PATIENCE_MS,
)
