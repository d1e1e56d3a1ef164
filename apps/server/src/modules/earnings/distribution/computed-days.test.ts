import { type Cycle, cyclesOf, lapsedOfCycles, stateOfStake } from '@dct/rules/cycles'
import { rewardOfCycles } from '@dct/rules/rewards'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addDays, businessDayOf, DAY_MS } from '../../../platform/clock.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { Refusal } from '../../../platform/errors.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { elementAt } from '../../../testing/element-at.ts'
import { ManualClock } from '../../../testing/manual-clock.ts'
import { dct } from '../../../testing/plans.ts'
import {
  givenFundedPlan,
  givenStake,
  passDays,
  releasedEvent,
  runDueDays,
  stakeDeps,
} from '../../../testing/stakes.ts'
import { postTransfers } from '../../ledger/index.ts'
import {
  bookStakingEvent,
  closeOpenFee,
  createSettleLoop,
  exemptHolder,
  listClaimable,
  restoreClaimable,
  type TakenClaimable,
  takeClaimable,
} from '../index.ts'
import { readEarningFacts } from '../lists/earning-facts.queries.ts'
import { exemptEverybody } from './exemptions.queries.ts'

/**
 * No cycle is stored: the days of a stake follow from the facts and decisions in its row. This plays random histories
 * with the real bookings and compares the function of the database and the one of @dct/rules with each other, and with
 * what every day showed when it was run, because a cycle never changes later, but for one: what lapsed on a day that is
 * exempted afterwards is credited again.
 */
const START = '2026-01-10T03:00:00Z'
const CYCLES = 83
const MINIMUM = dct('0.6')
const clock = new ManualClock(START)
const database = useTestDatabase()
const deps = () => ({ ...stakeDeps({ db: database.db, clock }), clock })

const STAKERS = [1, 2, 3, 4].map((index) => Buffer.alloc(20, index))
type Step = { act: (typeof ACTS)[number]; who: number; size: number }
const ACTS = [
  ...(['days', 'weeks', 'weeks', 'outage', 'join', 'joinLate', 'claim', 'claim'] as const),
  ...(['pay', 'pay', 'cancel', 'cancel', 'exemptOne', 'exemptAll', 'end'] as const),
] as const
const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...ACTS),
  who: fc.nat(STAKERS.length - 1),
  size: fc.integer({ min: 1, max: 9 }),
})

/** Lapses that end with a claim, a claim undone, exemptions and the end of the stake. */
const TOUR = [
  ...([
    'joinLate',
    'weeks',
    'days',
    'days',
    'claim',
    'days',
    'cancel',
    'days',
    'exemptAll',
  ] as const),
  ...(['days', 'claim', 'exemptOne', 'cancel', 'days', 'claim', 'pay', 'outage', 'weeks'] as const),
  ...(['days', 'days', 'claim', 'cancel', 'end'] as const),
].map((act): Step => ({ act, who: 1, size: act === 'end' ? 6 : 5 }))

type World = {
  plan: Awaited<ReturnType<typeof givenFundedPlan>>
  stakes: Map<string, { stakeId: bigint; amount: ReturnType<typeof dct> }>
  open: Map<string, TakenClaimable>
}

async function join(world: World, { who, size }: Step, startedAt: Date): Promise<void> {
  const staker = elementAt(STAKERS, who)
  if (world.stakes.has(`${who}`)) return
  const amount = dct(`${10 + size}.00${who}${size}7`)
  const stakeId = await givenStake(deps(), { plan: world.plan, staker, amount, startedAt })
  world.stakes.set(`${who}`, { stakeId, amount })
}

async function play(world: World, step: Step): Promise<void> {
  const { who, size } = step
  const { db } = database
  const staker = elementAt(STAKERS, who)
  const claim = world.open.get(`${who}`)
  const today = businessDayOf(clock.now())
  switch (step.act) {
    case 'days':
      await passDays(deps(), size)
      return
    case 'weeks':
      await passDays(deps(), 2 * size + 10)
      return
    case 'outage':
      clock.advanceMs(size * DAY_MS)
      await runDueDays(deps(), size * DAY_MS)
      return
    case 'join':
      return join(world, step, clock.now())
    case 'joinLate':
      return join(world, step, new Date(clock.now().getTime() - size * DAY_MS))
    case 'claim':
      try {
        const key = { staker, planCode: world.plan.code, now: clock.now() }
        const taken = await inTransaction(db, (tx) => takeClaimable(tx, key))
        world.open.set(`${who}`, taken)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
      return
    case 'pay':
      if (claim) await inTransaction(db, (tx) => closeOpenFee(tx, claim))
      world.open.delete(`${who}`)
      return
    case 'cancel':
      if (claim) {
        const undone = { ...claim, at: clock.now() }
        await inTransaction(db, async (tx) => postTransfers(tx, await restoreClaimable(tx, undone)))
      }
      world.open.delete(`${who}`)
      return
    case 'exemptOne':
      if (!claim) return
      await inTransaction(db, async (tx) => {
        const days = { first: addDays(today, 1 - size), last: today }
        const exemption = { earningId: claim.earningId, ...days, at: clock.now() }
        await postTransfers(tx, await exemptHolder(tx, exemption))
      })
      return
    case 'exemptAll': {
      const day = addDays(today, -(size % 4))
      const exemption = { day, reason: 'late_run', at: clock.now() } as const
      await inTransaction(db, (tx) => exemptEverybody(tx, exemption))
      return
    }
    case 'end': {
      await passDays(deps(), CYCLES)
      const stake = world.stakes.get(`${who}`)
      if (stake) {
        const released = { ...stake, staker, at: clock.now() }
        await inTransaction(db, (tx) => bookStakingEvent(deps(), tx, releasedEvent(released)))
      }
      if (size > 5) clock.advanceMs(185 * DAY_MS)
      await runDueDays(deps())
      await createSettleLoop({ db, clock }).step()
    }
  }
}

const computedRows = () =>
  database.db
    .selectFrom('reward_cycle_view')
    .selectAll()
    .orderBy('earning_id')
    .orderBy('day')
    .execute()

/** Days exempt for everybody, and for one earning after its id. */
async function exemptDays(): Promise<Set<string>> {
  const { rows } = await sql<{ day: string }>`
    select day::text from exempt_day union all
    select earning_id || ' ' || day from earning_exemption`.execute(database.db)
  return new Set(rows.map(({ day }) => day))
}

const factsOf = (ids: readonly bigint[]) => readEarningFacts(database.db, { ids, dctDecimals: 6 })

/** Compares all that is computed of the stakes in the database and in @dct/rules. */
async function compareStakes(): Promise<{ lapsed: number }> {
  const { db } = database
  const rows = Map.groupBy(await computedRows(), (row) => row.earning_id)
  const stakes = await db.selectFrom('earning').selectAll().execute()
  const facts = await factsOf(stakes.map(({ id }) => id))
  let lapsed = 0
  for (const stake of stakes) {
    const known = facts.get(stake.id)
    if (known === undefined) throw new Error('a stake has no facts')
    const cycles = cyclesOf(known, { after: 0, through: known.cycle })
    const own = rows.get(stake.id) ?? []
    expect(own).toEqual(cycles.map((cycle) => rowOf(stake.id, cycle)))
    const state = stateOfStake(known)
    expect(state.credited).toBe(sum(own.map(({ amount }) => amount)))
    expect(state.lapsed).toBe(sum(own.map((row) => row.lapsed_amount ?? 0n)))
    const unclaimed = own.filter(({ cycle }) => cycle > stake.claimed_through)
    expect(state.claimable.amount).toBe(sum(unclaimed.map(({ amount }) => amount)))
    const middle = { after: Math.floor(known.cycle / 3), through: Math.ceil(known.cycle / 1.5) }
    const { rows: sums } = await sql<{ lapsed: bigint }>`
      select lapsed_reward(reward, cycles, lapsed, ${middle.after}, ${middle.through}) as lapsed
      from earning where id = ${stake.id}`.execute(db)
    expect(sums).toEqual([{ lapsed: lapsedOfCycles(known, middle) }])
    const [claimable] = await listClaimable(db, {
      ...{ staker: stake.staker, now: stake.started_at, minimumClaim: MINIMUM },
    })
    if (state.claimable.amount === 0n) expect(claimable).toBeUndefined()
    else {
      expect(claimable).toMatchObject({
        ...state.claimable,
        claimableFrom: state.claimableFrom,
      })
    }
    lapsed += own.filter((row) => row.lapsed_amount !== null).length
  }
  return { lapsed }
}

const rowOf = (earningId: bigint, { cycle, day, amount, lapsed }: Cycle) => ({
  ...{ earning_id: earningId, day, cycle, amount },
  lapsed_amount: lapsed,
})
const sum = (amounts: readonly bigint[]) => amounts.reduce((all, one) => all + one, 0n)

test('the days of a stake follow from its facts and decisions, whatever happened', async () => {
  let lapsed = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 18 }), async (steps) => {
      await wipe(database.db)
      clock.set(START)
      const plan = await givenFundedPlan(deps(), { durationDays: CYCLES, rateBps: 2_003 })
      const world: World = { plan, stakes: new Map(), open: new Map() }
      await join(world, { act: 'join', who: 0, size: 1 }, clock.now())
      const shown = new Map<string, Awaited<ReturnType<typeof computedRows>>[number]>()
      for (const one of steps) {
        await play(world, one)
        const exempt = await exemptDays()
        for (const row of await computedRows()) {
          const key = `${row.earning_id} ${row.day}`
          const before = shown.get(key) ?? row
          const isExempt = exempt.has(row.day) || exempt.has(key)
          const again = { ...before, amount: before.lapsed_amount, lapsed_amount: null }
          const mayChange = isExempt && before.lapsed_amount !== null && row.lapsed_amount === null
          expect(row).toEqual(mayChange ? again : before)
          shown.set(key, row)
        }
      }
      expect(await computedRows()).toHaveLength(shown.size)
      lapsed += (await compareStakes()).lapsed
    }),
    { numRuns: 6, examples: [[TOUR]] },
  )
  expect(lapsed).toBeGreaterThan(0)
}, 240_000)

test('the day a stake freezes and the day it lapses are those that its next days show', async () => {
  await wipe(database.db)
  clock.set(START)
  const plan = await givenFundedPlan(deps(), { durationDays: CYCLES })
  await givenStake(deps(), { plan, staker: elementAt(STAKERS, 0) })
  await passDays(deps(), 5)
  const { id } = await database.db.selectFrom('earning').select('id').executeTakeFirstOrThrow()
  const known = (await factsOf([id])).get(id)
  if (known === undefined) throw new Error('the stake has no facts')
  const state = stateOfStake(known)
  const start = businessDayOf(new Date(START))
  expect(state).toMatchObject({
    ...{ freezesOn: addDays(start, 30), lapsesFrom: addDays(start, 34) },
    credited: rewardOfCycles({ reward: dct('7.2'), cycles: CYCLES }, { after: 0, through: 5 }),
  })
  await passDays(deps(), 32)
  const first = (await computedRows()).find((row) => row.lapsed_amount !== null)
  expect(first?.day).toBe(state.lapsesFrom)
})
