import { expect, test } from 'vitest'
import { addDays, businessDayOf, realClock, startOfBusinessDay } from '../../../platform/clock.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { Refusal } from '../../../platform/errors.ts'
import { useTestDatabase } from '../../../testing/database.ts'
import { ManualClock } from '../../../testing/manual-clock.ts'
import { givenFundedPlan, givenStake, runDueDays, stakeDeps } from '../../../testing/stakes.ts'
import { closeOpenFee, type TakenClaimable, takeClaimable } from '../index.ts'
import { runNextDistribution } from './run-distribution.ts'

const EARNINGS = 10
const DAYS = 40
const clock = new ManualClock('2026-01-10T03:00:00Z')
const database = useTestDatabase(24)
const deps = () => stakeDeps({ db: database.db, clock })

/** Takes whatever is claimable, possibly nothing. */
async function tryTake(staker: Buffer): Promise<TakenClaimable[]> {
  try {
    const taken = await inTransaction(database.db, async (tx) => {
      const cycles = await takeClaimable(tx, { staker, planCode: 'PLAN-360', now: clock.now() })
      await closeOpenFee(tx, cycles)
      return cycles
    })
    return [taken]
  } catch (error) {
    if (error instanceof Refusal && error.code === 'NOTHING_TO_CLAIM') return []
    throw error
  }
}

test('[T051] claims concurrent with daily runs: every cycle is in exactly one claim, and each claim is the sum of its cycles', async () => {
  const plan = await givenFundedPlan(deps())
  const stakers = Array.from({ length: EARNINGS }, (_, at) => Buffer.alloc(20, at + 1))
  for (const staker of stakers) await givenStake(deps(), { plan, staker })
  const claims: TakenClaimable[] = []
  for (let day = 0; day < DAYS; day += 1) {
    clock.set(startOfBusinessDay(addDays(businessDayOf(clock.now()), 1)))
    const time = { now: clock.now(), realNow: realClock.now() }
    const takers = stakers.flatMap((staker) => [tryTake(staker), tryTake(staker)])
    const [, ...taken] = await Promise.all([runNextDistribution(deps(), time), ...takers])
    claims.push(...taken.flat())
  }
  await runDueDays(deps())
  for (const staker of stakers) claims.push(...(await tryTake(staker)))

  const rows = await database.db.selectFrom('reward_cycle_view').selectAll().execute()
  expect(rows).toHaveLength(EARNINGS * DAYS)
  for (const claim of claims) {
    const own = rows.filter(
      ({ earning_id: id, cycle }) =>
        id === claim.earningId && cycle >= claim.firstCycle && cycle <= claim.lastCycle,
    )
    expect(own).toHaveLength(claim.lastCycle - claim.firstCycle + 1)
    expect(own.reduce((sum, { amount }) => sum + amount, 0n)).toBe(claim.amount)
  }
  for (const earningId of new Set(rows.map((row) => row.earning_id))) {
    const own = claims.filter((claim) => claim.earningId === earningId)
    const ends = own.map(({ lastCycle }) => lastCycle).toSorted((a, b) => a - b)
    const starts = own.map(({ firstCycle }) => firstCycle).toSorted((a, b) => a - b)
    expect(starts).toEqual([1, ...ends.slice(0, -1).map((end) => end + 1)])
    expect(ends.at(-1)).toBe(DAYS)
  }
})
