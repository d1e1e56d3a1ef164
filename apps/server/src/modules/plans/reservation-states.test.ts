import { beforeEach, expect, test } from 'vitest'
import { businessDayOf, realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { dct, givenPlan } from '../../testing/plans.ts'
import { TokenChain } from '../../testing/token-chain.ts'
import { givenUser, type TestUser } from '../../testing/users.ts'
import { createReservationLoop } from './check-reservations.ts'
import { remainingQuotas } from './describe-plans.ts'
import { honourStake } from './honour-stake.ts'
import type { Plan } from './plans.queries.ts'
import type { ReservationState } from './plans.tables.ts'
import { releaseLapsedReservations } from './release-lapsed.ts'
import { reserveQuota } from './reserve-quota.ts'

const START = '2026-01-31T03:00:00Z'
const clock = new ManualClock(START)
const database = useTestDatabase()
let user: TestUser
let plan: Plan
let other: Plan
let chain: TokenChain

beforeEach(async () => {
  await wipe(database.db)
  clock.set(START)
  user = await givenUser({ db: database.db, clock, realClock })
  chain = new TokenChain([user])
  plan = await givenPlan(deps())
  other = await givenPlan(deps(), { code: 'OTHER' })
})

const deps = () => ({
  ...{ db: database.db, clock, realClock, dctDecimals: 6, reservationCooldownMs: 0, pauseMs: 0 },
  ...chain.readers,
  isFollowing: async () => false,
})
const reserve = (chosen: Plan) =>
  reserveQuota(deps(), { user, planCode: chosen.code, amount: dct('50') })

/** Every event in the life of a reservation, caused as in production. */
const EXITS = {
  async 'its holder stakes'() {
    const stake = { planCode: plan.code, amount: dct('50'), durationDays: 360, reward: dct('36') }
    const at = clock.now()
    await inTransaction(database.db, (tx) => honourStake(tx, { ...stake, at, userId: user.id }))
  },
  async 'it expires'() {
    clock.advanceMs(10 * 60_000)
    await inTransaction(database.db, (tx) => releaseLapsedReservations(tx, clock.now()))
  },
  async 'its holder reserves elsewhere'() {
    await reserve(other)
  },
  async 'its tokens are sent away'() {
    const elsewhere = { address: Buffer.alloc(20, 0xe1) }
    chain.send(user, elsewhere)
    await createReservationLoop(deps()).step()
    chain.send(elsewhere, user)
  },
} as const
type Exit = keyof typeof EXITS
const BECOMES: Record<Exit, ReservationState> = {
  'its holder stakes': 'used',
  'it expires': 'lapsed',
  'its holder reserves elsewhere': 'replaced',
  'its tokens are sent away': 'unbacked',
}
const CASES = (Object.keys(EXITS) as Exit[]).flatMap((exit) => [
  { state: 'live' as const, by: undefined, exit, after: BECOMES[exit] },
  ...(Object.keys(EXITS) as Exit[]).map((by) => ({
    ...{ state: BECOMES[by], by, exit, after: BECOMES[by] },
  })),
])

test.each(CASES)(
  'a reservation that is $state, then $exit: $after',
  async ({ by, exit, after }) => {
    await reserve(plan)
    if (by !== undefined) await EXITS[by]()
    await EXITS[exit]()
    const [reservation] = await reservations()
    expect(reservation?.state).toBe(after)
    await expectQuotasToFit()
  },
)

const reservations = () => database.db.selectFrom('reservation').selectAll().orderBy('id').execute()

/** Expects the quota's reserved total to equal the sum of live reservations, so that none is returned twice. */
async function expectQuotasToFit(): Promise<void> {
  const live = (await reservations()).filter(({ state }) => state === 'live')
  for (const { id } of [plan, other]) {
    const held = live.filter((reservation) => reservation.plan_id === id)
    const sum = held.reduce((total, { reward }) => total + reward, 0n)
    const total = await database.db
      .selectFrom('plan_total')
      .select('reserved')
      .where('plan_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(total.reserved).toBe(sum)
    const days = await database.db
      .selectFrom('plan_day')
      .select('reserved')
      .where('plan_id', '=', id)
      .execute()
    expect(days.reduce((all, { reserved }) => all + reserved, 0n)).toBe(sum)
  }
  expect(businessDayOf(clock.now())).toBe('2026-01-31')
  const left = await remainingQuotas(deps(), [plan])
  expect(left.get(plan.id)?.daily).toBeLessThanOrEqual(dct('2000'))
}
