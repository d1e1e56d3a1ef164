import type { Dct } from '@dct/money'
import { countingCycles, creditedCyclesLeft } from '@dct/rules/freezing'
import { rewardOfCycles } from '@dct/rules/rewards'
import { expect, test } from 'vitest'
import { addDays, type BusinessDay, DAY_MS, startOfBusinessDay } from '../../../platform/clock.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { everything } from '../../../testing/all-tables.ts'
import { useTestDatabase } from '../../../testing/database.ts'
import { dice } from '../../../testing/forest.ts'
import { ManualClock } from '../../../testing/manual-clock.ts'
import { givenPlan } from '../../../testing/plans.ts'
import { insertDistributionDay, insertPlanCursor, runCycles } from './distribution.queries.ts'

/** The daily run is one SQL statement over all earnings, so the rule exists in SQL as well as in TypeScript. */

const FIRST_DAY = '2026-01-10' as BusinessDay
const CYCLES = 45
const DAYS = CYCLES + 20
const EARNINGS = 60
const GRACE_CYCLES = 3
/** The largest reward whose products with every cycle fit into 64 bits. */
const LARGEST_SMALL = (2n ** 63n - 1n) / BigInt(CYCLES)
const clock = new ManualClock('2026-01-10T03:00:00Z')

const database = useTestDatabase()

type History = {
  id: bigint
  startDay: BusinessDay
  reward: Dct
  freezeLimit: number
  claimedThrough: number
  ownExemptDays: number
}
type Row = { earning_id: bigint; cycle: number; amount: bigint; lapsed_amount: bigint | null }

const daysBetween = (from: BusinessDay, to: BusinessDay) =>
  (startOfBusinessDay(to).getTime() - startOfBusinessDay(from).getTime()) / DAY_MS

/** The row that the rules require for an earning on a day; undefined outside its cycles. */
function expectedRow(
  earning: History,
  day: BusinessDay,
  exemptDays: ReadonlySet<BusinessDay>,
): Row | undefined {
  const cycle = daysBetween(earning.startDay, day)
  if (cycle < 1 || cycle > CYCLES) return undefined
  const claimedDay = addDays(earning.startDay, earning.claimedThrough)
  const exempt = [...exemptDays].filter((one) => one > claimedDay && one < day).length
  const count = countingCycles({
    cycle: cycle - 1,
    claimedThrough: earning.claimedThrough,
    exempt: exempt + earning.ownExemptDays,
  })
  const { freezeLimit, reward } = earning
  const amount = rewardOfCycles({ reward, cycles: CYCLES }, { after: cycle - 1, through: cycle })
  const isCredited = creditedCyclesLeft({ count, freezeLimit, graceCycles: GRACE_CYCLES }) > 0
  return isCredited || exemptDays.has(day)
    ? { earning_id: earning.id, cycle, amount, lapsed_amount: null }
    : { earning_id: earning.id, cycle, amount: 0n, lapsed_amount: amount }
}

test('the daily run credits and lapses according to the rules, whatever the history of an earning', async () => {
  const seed = Number(process.hrtime.bigint() % 1_000_000_007n)
  const roll = dice(seed)
  const plan = await givenPlan({ db: database.db, clock }, { durationDays: CYCLES })
  const earnings: History[] = []
  for (let index = 1; index <= EARNINGS; index += 1) {
    earnings.push(await insertEarning(index, roll, plan))
  }
  const cursor = { planId: plan.id, planCode: plan.code, cycles: CYCLES, throughDay: FIRST_DAY }
  await inTransaction(database.db, (tx) => insertPlanCursor(tx, cursor))
  const exemptDays = new Set<BusinessDay>()
  const all: Row[] = []
  for (let count = 1; count <= DAYS; count += 1) {
    const day = addDays(FIRST_DAY, count)
    const { totals, rows } = await inTransaction(database.db, async (tx) => {
      const run = { planCode: plan.code, cycles: CYCLES, day, graceCycles: GRACE_CYCLES }
      const totals = await runCycles(tx, { ...run, isExempt: exemptDays.has(day) })
      await insertDistributionDay(tx, { planId: plan.id, day, at: clock.now(), ...totals })
      const rows = await everything(tx)
        .selectFrom('reward_cycle_view')
        .select(['earning_id', 'cycle', 'amount', 'lapsed_amount'])
        .where('day', '=', day)
        .orderBy('earning_id')
        .execute()
      return { totals, rows }
    })
    const expected = earnings.flatMap((one) => expectedRow(one, day, exemptDays) ?? [])
    expect(rows, `seed ${seed}, ${day}`).toEqual(expected)
    expect(totals, `seed ${seed}, ${day}`).toEqual({
      rowCount: BigInt(expected.length),
      lapsedCount: BigInt(expected.filter(({ lapsed_amount }) => lapsed_amount !== null).length),
      credited: sumOf(expected.map(({ amount }) => amount)),
      lapsed: sumOf(expected.map(({ lapsed_amount }) => lapsed_amount ?? 0n)),
    })
    all.push(...expected)
    await changeSomething(roll, { earnings, exemptDays, day })
  }
  const rows = await database.db
    .selectFrom('reward_cycle_view')
    .select(['earning_id', 'cycle', 'amount', 'lapsed_amount'])
    .orderBy('earning_id')
    .orderBy('cycle')
    .execute()
  const inOrder = all.toSorted((a, b) => Number(a.earning_id - b.earning_id) || a.cycle - b.cycle)
  expect(rows, `seed ${seed}`).toEqual(inOrder)
  const lapsed = rows.filter((row) => row.lapsed_amount !== null)
  expect(lapsed.length, `seed ${seed}`).toBeGreaterThan(0)
})

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)

/** Makes claims and exemptions for some of the earnings, and occasionally exempts all of them for a day. */
async function changeSomething(
  roll: ReturnType<typeof dice>,
  world: { earnings: History[]; exemptDays: Set<BusinessDay>; day: BusinessDay },
): Promise<void> {
  const { earnings, exemptDays, day } = world
  if (roll(8) === 0) {
    const exempt = addDays(day, 1 - roll(4))
    exemptDays.add(exempt)
    await database.db
      .insertInto('exempt_day')
      .values({ day: exempt, reason: 'late_run', recorded_at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  for (const earning of earnings) {
    const cycle = daysBetween(earning.startDay, day)
    if (cycle < 1 || cycle > CYCLES) continue
    if (roll(40) === 0) Object.assign(earning, { claimedThrough: cycle, ownExemptDays: 0 })
    else if (roll(30) === 0) earning.ownExemptDays += 1
    else continue
    await database.db
      .updateTable('earning')
      .set({ claimed_through: earning.claimedThrough, own_exempt_days: earning.ownExemptDays })
      .where('id', '=', earning.id)
      .execute()
  }
}

async function insertEarning(
  index: number,
  roll: ReturnType<typeof dice>,
  plan: { id: bigint; code: string },
): Promise<History> {
  const startDay = addDays(FIRST_DAY, roll(12))
  const reward = (index <= 2 ? LARGEST_SMALL + BigInt(index - 1) : rollReward(roll)) as Dct
  const freezeLimit = 5 + roll(8)
  const startedAt = new Date(startOfBusinessDay(startDay).getTime() + roll(DAY_MS))
  const bytes = (length: number) => Buffer.alloc(length, index)
  const { id } = await database.db
    .insertInto('earning')
    .values({
      stake_id: BigInt(index),
      staker: bytes(20),
      is_registered: true,
      plan_id: plan.id,
      plan_code: plan.code,
      amount: 10_000_000n,
      reward,
      cycles: CYCLES,
      freeze_limit: freezeLimit,
      started_at: startedAt,
      ends_at: new Date(startedAt.getTime() + CYCLES * DAY_MS),
      start_day: startDay,
      expired_amount: null,
      tx_hash: bytes(32),
      log_index: 0,
      block_number: 1n,
      booked_at: startedAt,
      release_asked_at: null,
      released_at: null,
      release_tx: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, startDay, reward, freezeLimit, claimedThrough: 0, ownExemptDays: 0 }
}

/** Some do not fit into 64 bits once multiplied by any cycle, or only by the last one. */
function rollReward(roll: ReturnType<typeof dice>): bigint {
  const small = BigInt(roll(3) === 0 ? roll(100) : roll(1_000_000_000))
  const offsets = [0n, 0n, 2n ** 62n, LARGEST_SMALL - 500_000_000n]
  return (offsets[roll(4)] ?? 0n) + small
}
