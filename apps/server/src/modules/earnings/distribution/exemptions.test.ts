import { CLAIM_OPEN_DAYS_AFTER_END } from '@dct/rules/constants'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import {
  addDays,
  type BusinessDay,
  businessDayOf,
  DAY_MS,
  startOfBusinessDay,
} from '../../../platform/clock.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { ManualClock } from '../../../testing/manual-clock.ts'
import { givenFundedPlan, givenStake, passDays, stakeDeps } from '../../../testing/stakes.ts'
import { postTransfers } from '../../ledger/index.ts'
import { closeOpenFee, exemptHolder, restoreClaimable, takeClaimable } from '../index.ts'
import { readEarningFacts } from '../lists/earning-facts.queries.ts'
import { exemptClosedDay, recordAvailability } from './availability.ts'
import { exemptEverybody } from './exemptions.queries.ts'
import { createSettleLoop } from './settle-ended.ts'

const START = '2026-01-10T03:00:00Z'
const START_DAY = '2026-01-10' as BusinessDay
const clock = new ManualClock(START)
const STAKER = Buffer.alloc(20, 1)
const OTHER = Buffer.alloc(20, 2)
const database = useTestDatabase()
const deps = () => ({ ...stakeDeps({ db: database.db, clock }), clock })

beforeEach(async () => {
  await wipe(database.db)
  clock.set(START)
})

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Records availability every minute between two instants, as a running service does. */
async function runService(from: Date, to: Date, isOpen = true) {
  await inTransaction(database.db, async (tx) => {
    for (let at = from.getTime(); at <= to.getTime(); at += MINUTE_MS) {
      const now = new Date(at)
      await recordAvailability(tx, { now, realNow: now, isOpen })
    }
  })
}

const judge = async (day: BusinessDay) => {
  await inTransaction(database.db, (tx) => exemptClosedDay(tx, day, clock.now()))
  const exempt = database.db.selectFrom('exempt_day').select('day').where('day', '=', day)
  return (await exempt.execute()).length > 0
}

const dayStart = (offset: number) => startOfBusinessDay(addDays(START_DAY, offset))
const after = (instant: Date, ms: number) => new Date(instant.getTime() + ms)

test.each([
  { what: 'no gap', downMs: 0, isExempt: false },
  { what: 'a gap of 58 minutes', downMs: 58 * MINUTE_MS, isExempt: false },
  { what: 'a gap of 62 minutes', downMs: 62 * MINUTE_MS, isExempt: true },
  { what: 'a gap of 10 hours', downMs: 10 * HOUR_MS, isExempt: true },
])('a day with $what without open claims is exempt: $isExempt', async ({ downMs, isExempt }) => {
  const noon = after(dayStart(1), 12 * HOUR_MS)
  await runService(after(dayStart(1), -HOUR_MS), noon)
  // Neither a stopped service nor closed claims leave a record.
  await runService(after(noon, MINUTE_MS), after(noon, downMs), false)
  await runService(after(noon, downMs), after(dayStart(2), HOUR_MS))
  expect(await judge(addDays(START_DAY, 1))).toBe(isExempt)
})

test('advancing the clock does not count as an outage; the same time without the service does', async () => {
  const realNow = after(dayStart(1), HOUR_MS)
  const note = (now: Date, real: Date) =>
    inTransaction(database.db, (tx) => recordAvailability(tx, { now, realNow: real, isOpen: true }))
  await note(dayStart(1), realNow)
  await note(dayStart(4), after(realNow, 1_000))
  expect(await judge(addDays(START_DAY, 2))).toBe(false)
  await note(dayStart(8), after(realNow, 4 * DAY_MS))
  expect(await judge(addDays(START_DAY, 5))).toBe(true)
})

test('no day before the service first ran is exempt', async () => {
  expect(await judge(START_DAY)).toBe(false)
  await runService(dayStart(3), after(dayStart(4), HOUR_MS))
  expect(await judge(addDays(START_DAY, 2))).toBe(false)
  expect(await judge(addDays(START_DAY, 3))).toBe(false)
})

const countNow = async () => {
  const [{ id }] = (await database.db.selectFrom('earning').select('id').execute()) as [
    { id: bigint },
  ]
  const facts = (await readEarningFacts(database.db, { ids: [id], dctDecimals: 6 })).get(id)
  if (facts === undefined) throw new Error('there is no earning')
  return facts.cycle - facts.claimedThrough - facts.exempt
}

const day = (offset: number) => addDays(START_DAY, offset)
const exemptAll = (offset: number) =>
  inTransaction(database.db, (tx) =>
    exemptEverybody(tx, { day: day(offset), reason: 'claims_unavailable', at: clock.now() }),
  )

async function givenEarning(days: number) {
  const plan = await givenFundedPlan(deps())
  await givenStake(deps(), { plan, staker: STAKER })
  await passDays(deps(), days)
  const { id } = await database.db.selectFrom('earning').select('id').executeTakeFirstOrThrow()
  const exempt = (offset: number, last = offset) =>
    inTransaction(database.db, async (tx) => {
      const days = { first: day(offset), last: day(last) }
      const again = await exemptHolder(tx, { earningId: id, ...days, at: clock.now() })
      await postTransfers(tx, again)
    })
  const take = () =>
    inTransaction(database.db, (tx) =>
      takeClaimable(tx, { staker: STAKER, planCode: plan.code, now: clock.now() }),
    )
  return { id, exempt, take }
}

test('a day exempt both for all earnings and for one counts once, in either order', async () => {
  const { exempt } = await givenEarning(20)
  expect(await countNow()).toBe(20)
  await exempt(5)
  await exempt(5)
  expect(await countNow()).toBe(19)
  await exemptAll(5)
  await exemptAll(5)
  expect(await countNow()).toBe(19)
  await exemptAll(7)
  await exempt(7)
  expect(await countNow()).toBe(18)
  // Days before the stake, and days after the last run cycle, do not count for it.
  await exemptAll(-3)
  await exemptAll(25)
  expect(await countNow()).toBe(18)
})

test('days before a claim do not count after it, and count again when it is undone', async () => {
  const { exempt, take } = await givenEarning(20)
  await exempt(4)
  await exemptAll(8)
  const taken = await take()
  expect(await countNow()).toBe(0)
  await passDays(deps(), 5)
  await exempt(22)
  await exemptAll(23)
  expect(await countNow()).toBe(3)
  // Recording an old outage late changes nothing after the claim.
  await exemptAll(10)
  expect(await countNow()).toBe(3)
  await inTransaction(database.db, (tx) => restoreClaimable(tx, { ...taken, at: clock.now() }))
  expect(await countNow()).toBe(25 - 5)
})

test('once a stake has expired, no cycle counts, and none less than none', async () => {
  const { id, exempt } = await givenEarning(20)
  await exempt(4)
  const stake = database.db
    .selectFrom('earning')
    .select(['cycles', 'claimed_through', 'is_settled'])
  const { cycles } = await stake.executeTakeFirstOrThrow()
  await passDays(deps(), cycles)
  clock.advanceMs((CLAIM_OPEN_DAYS_AFTER_END + 1) * DAY_MS)
  await createSettleLoop(deps()).step()
  expect(await stake.where('id', '=', id).execute()).toMatchObject([
    { claimed_through: cycles, is_settled: true },
  ])
  expect(await countNow()).toBe(0)
})

test('exempt days are credited beyond the limit: a cycle lapses only after 33 cycles that count', async () => {
  const { exempt } = await givenEarning(10)
  for (let offset = 1; offset <= 6; offset += 1) await exempt(offset)
  for (let offset = 5; offset <= 8; offset += 1) await exemptAll(offset)
  await passDays(deps(), 40)
  const lapsed = await database.db
    .selectFrom('reward_cycle_view')
    .select((eb) => eb.fn.min('cycle').as('first'))
    .where('lapsed_amount', 'is not', null)
    .executeTakeFirst()
  expect(lapsed?.first).toBe(33 + 8 + 1)
})

const lapsedCycles = async () => {
  const rows = await database.db
    .selectFrom('reward_cycle_view')
    .select('cycle')
    .where('lapsed_amount', 'is not', null)
    .orderBy('cycle')
    .execute()
  return rows.map(({ cycle }) => cycle)
}

/** The balance of what a plan's stakes lost, beside what its days' records say. */
const lost = async () => {
  const { rows } = await sql<{ ledger: bigint; days: bigint; cycles: number }>`
    select (select sum(credits - debits) from ledger_account where code like 'lapsed:%') as ledger,
      (select sum(lapsed) from distribution_day) as days,
      (select sum(lapsed_count)::int from distribution_day) as cycles`.execute(database.db)
  return rows[0]
}

test('days exempted after they lapsed are credited again, and the next day is judged anew', async () => {
  const { exempt } = await givenEarning(36)
  expect(await lapsedCycles()).toEqual([34, 35, 36])
  await exempt(31, 35)
  await exempt(31, 35)
  expect(await lapsedCycles()).toEqual([36])
  const one = 20_000n
  expect(await lost()).toEqual({ ledger: one, days: one, cycles: 1 })
  // Without those five, 31 days count: two more are credited.
  await passDays(deps(), 3)
  expect(await lapsedCycles()).toEqual([36, 39])
})

test('a day on which claims were closed is credited again by the next run, unless a claim has passed it by', async () => {
  const plan = await givenFundedPlan(deps())
  for (const staker of [STAKER, OTHER]) await givenStake(deps(), { plan, staker })
  await passDays(deps(), 34)
  expect(await lapsedCycles()).toEqual([34, 34])
  const key = { staker: OTHER, planCode: plan.code, now: clock.now() }
  const taken = await inTransaction(database.db, (tx) => takeClaimable(tx, key))
  await exemptAll(34)
  await passDays(deps(), 1)
  // The other's claim had ended the lapse; it would have lapsed without the outage, too.
  expect(await lapsedCycles()).toEqual([34, 35])
  await inTransaction(database.db, async (tx) =>
    postTransfers(tx, await restoreClaimable(tx, { ...taken, at: clock.now() })),
  )
  expect(await lapsedCycles()).toEqual([35])
})

test('nothing lapses on a day that is exempt when it is run', async () => {
  const { exempt } = await givenEarning(34)
  expect(await lapsedCycles()).toEqual([34])
  await exempt(35, 36)
  await passDays(deps(), 2)
  expect(await lapsedCycles()).toEqual([34])
  await passDays(deps(), 1)
  await exemptAll(38)
  await passDays(deps(), 2)
  expect(await lapsedCycles()).toEqual([34, 37, 39])
})

test('of 16 concurrent claims, one takes the cycles and the others are refused', async () => {
  const { id, take } = await givenEarning(20)
  for (let round = 0; round < 5; round += 1) {
    const results = await Promise.allSettled(Array.from({ length: 16 }, take))
    const taken = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(taken).toHaveLength(1)
    const codes = results.map((result) =>
      result.status === 'rejected' ? String(result.reason.code) : 'taken',
    )
    expect(new Set(codes)).toEqual(new Set(['taken', 'CLAIM_FEE_OPEN']))
    await inTransaction(database.db, (tx) => closeOpenFee(tx, { earningId: id }))
    await expect(take()).rejects.toMatchObject({ code: 'NOTHING_TO_CLAIM' })
    await passDays(deps(), 1)
  }
  const total = await database.db.selectFrom('earning').select('claimed_through').executeTakeFirst()
  expect(total?.claimed_through).toBe(24)
  expect(businessDayOf(clock.now())).toBe(day(25))
})
