import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  addDays,
  type BusinessDay,
  businessDayOf,
  DAY_MS,
  ManualClock,
  startOfBusinessDay,
} from '../../platform/clock.ts'
import { inTransaction } from '../../platform/db.ts'
import { createTestDatabase, type TestDatabase, wipe } from '../../testing/database.ts'
import { givenFundedPlan, givenStake, passDays, stakeDeps } from '../../testing/stakes.ts'
import { judgeDay, noteAvailability } from './availability.ts'
import { readEarningFacts } from './earning-facts.queries.ts'
import { excusedDays, excuseEverybody } from './excuses.queries.ts'
import { closeOpenFee, excuseHolder, restoreClaimable, takeClaimable } from './index.ts'

const START = '2026-01-10T03:00:00Z'
const START_DAY = '2026-01-10' as BusinessDay
const clock = new ManualClock(START)
const STAKER = Buffer.alloc(20, 1)
let database: TestDatabase
const deps = () => ({ ...stakeDeps({ db: database.db, clock }), clock })

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await wipe(database.db)
  clock.set(START)
})

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Notes every minute from one instant to another, as a running service does. */
async function runService(from: Date, to: Date, isOpen = true) {
  await inTransaction(database.db, async (tx) => {
    for (let at = from.getTime(); at <= to.getTime(); at += MINUTE_MS) {
      const now = new Date(at)
      await noteAvailability(tx, { now, realNow: now, isOpen })
    }
  })
}

const judge = async (day: BusinessDay) => {
  await inTransaction(database.db, (tx) => judgeDay(tx, day, clock.now()))
  return (await excusedDays(database.db)).includes(day)
}

const dayStart = (offset: number) => startOfBusinessDay(addDays(START_DAY, offset))
const after = (instant: Date, ms: number) => new Date(instant.getTime() + ms)

test.each([
  { what: 'no gap', downMs: 0, isExcused: false },
  { what: 'a gap of 58 minutes', downMs: 58 * MINUTE_MS, isExcused: false },
  { what: 'a gap of 62 minutes', downMs: 62 * MINUTE_MS, isExcused: true },
  { what: 'a gap of 10 hours', downMs: 10 * HOUR_MS, isExcused: true },
])(
  'a day with $what in which nobody could claim is excused: $isExcused',
  async ({ downMs, isExcused }) => {
    const noon = after(dayStart(1), 12 * HOUR_MS)
    await runService(after(dayStart(1), -HOUR_MS), noon)
    // Down, or claims closed: both leave no note.
    await runService(after(noon, MINUTE_MS), after(noon, downMs), false)
    await runService(after(noon, downMs), after(dayStart(2), HOUR_MS))
    expect(await judge(addDays(START_DAY, 1))).toBe(isExcused)
  },
)

test('a clock that was moved by hand is no outage; the same time without the service is', async () => {
  const realNow = after(dayStart(1), HOUR_MS)
  const note = (now: Date, real: Date) =>
    inTransaction(database.db, (tx) => noteAvailability(tx, { now, realNow: real, isOpen: true }))
  await note(dayStart(1), realNow)
  await note(dayStart(4), after(realNow, 1_000))
  expect(await judge(addDays(START_DAY, 2))).toBe(false)
  await note(dayStart(8), after(realNow, 4 * DAY_MS))
  expect(await judge(addDays(START_DAY, 5))).toBe(true)
})

test('before the service ever ran nobody is excused', async () => {
  expect(await judge(START_DAY)).toBe(false)
  await runService(dayStart(3), after(dayStart(4), HOUR_MS))
  expect(await judge(addDays(START_DAY, 2))).toBe(false)
  expect(await judge(addDays(START_DAY, 3))).toBe(false)
})

const countNow = async () => {
  const [{ id }] = (await database.db.selectFrom('earning').select('id').execute()) as [
    { id: bigint },
  ]
  const facts = (await readEarningFacts(database.db, [id])).get(id)
  if (facts === undefined) throw new Error('there is no earning')
  return facts.cycle - facts.claimedThrough - facts.excused
}

const day = (offset: number) => addDays(START_DAY, offset)
const excuseAll = (offset: number) =>
  inTransaction(database.db, (tx) =>
    excuseEverybody(tx, { day: day(offset), reason: 'claims_unavailable', at: clock.now() }),
  )

async function givenEarning(days: number) {
  const plan = await givenFundedPlan(deps())
  await givenStake(deps(), { plan, staker: STAKER })
  await passDays(deps(), days)
  const { id } = await database.db.selectFrom('earning').select('id').executeTakeFirstOrThrow()
  const excuse = (offset: number) =>
    inTransaction(database.db, (tx) => excuseHolder(tx, { earningId: id, day: day(offset) }))
  const take = () =>
    inTransaction(database.db, (tx) =>
      takeClaimable(tx, { staker: STAKER, planCode: plan.code, now: clock.now() }),
    )
  return { id, excuse, take }
}

test('a day is excused once, for everybody and for one holder alike, in whatever order that turns out', async () => {
  const { excuse } = await givenEarning(20)
  expect(await countNow()).toBe(20)
  expect(await excuse(5)).toBe(true)
  expect(await excuse(5)).toBe(false)
  expect(await countNow()).toBe(19)
  await excuseAll(5)
  await excuseAll(5)
  expect(await countNow()).toBe(19)
  await excuseAll(7)
  await excuse(7)
  expect(await countNow()).toBe(18)
  // Days before the stake, and after the cycles that were run, are none of its own.
  await excuseAll(-3)
  await excuseAll(25)
  expect(await countNow()).toBe(18)
})

test('days before a claim do not count after it, and count again when it is undone', async () => {
  const { excuse, take } = await givenEarning(20)
  await excuse(4)
  await excuseAll(8)
  const taken = await take()
  expect(await countNow()).toBe(0)
  await passDays(deps(), 5)
  await excuse(22)
  await excuseAll(23)
  expect(await countNow()).toBe(3)
  // An outage long ago, found out about late, changes nothing after the claim.
  await excuseAll(10)
  expect(await countNow()).toBe(3)
  await inTransaction(database.db, (tx) => restoreClaimable(tx, taken))
  expect(await countNow()).toBe(25 - 5)
})

test('excused days are credited beyond the limit: a cycle lapses only after 33 counting ones', async () => {
  const { excuse } = await givenEarning(10)
  for (let offset = 1; offset <= 6; offset += 1) await excuse(offset)
  for (let offset = 5; offset <= 8; offset += 1) await excuseAll(offset)
  await passDays(deps(), 40)
  const lapsed = await database.db
    .selectFrom('reward_row')
    .select((eb) => eb.fn.min('cycle').as('first'))
    .where('lapsed_amount', 'is not', null)
    .executeTakeFirst()
  expect(lapsed?.first).toBe(33 + 8 + 1)
})

test('one claim at a time: 16 at once, one takes the cycles and the others are refused', async () => {
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
