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

  const rows = await database.db.selectFrom('reward_row').selectAll().execute()
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

test('a cycle whose row cannot be seen is not claimed unpaid', async () => {
  const { db } = database
  const staker = Buffer.alloc(20, 0xee)
  const plan = await givenFundedPlan(deps(), { code: 'GAP' })
  await givenStake(deps(), { plan, staker })
  clock.set(startOfBusinessDay(addDays(businessDayOf(clock.now()), 4)))
  await runDueDays(deps())
  const stake = db.selectFrom('earning').select('id').where('staker', '=', staker)
  await db.deleteFrom('reward_row').where('earning_id', '=', stake).where('cycle', '=', 2).execute()
  const key = { staker, planCode: plan.code, now: clock.now() }
  await expect(inTransaction(db, (tx) => takeClaimable(tx, key))).rejects.toThrow(
    'has 3 of 4 cycles to claim',
  )
  const earning = await db
    .selectFrom('earning')
    .select('claimed_through')
    .where('staker', '=', staker)
    .executeTakeFirstOrThrow()
  expect(earning).toEqual({ claimed_through: 0 })
})
