import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ClaimsWorld,
  claim,
  claimRows,
  createClaimsWorld,
  get,
  givenHolder,
  givenMarket,
  post,
  receive,
  transferEvent,
} from '../../testing/claims.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { passDays } from '../../testing/stakes.ts'
import type { TestUser } from '../../testing/users.ts'

const database = useTestDatabase()
let world: ClaimsWorld
let holder: TestUser
let stranger: TestUser

beforeAll(async () => {
  world = await createClaimsWorld(database.db, new ManualClock('2026-03-01T03:00:00Z'))
  await givenMarket(world)
  holder = await givenHolder(world, { days: 8 })
  stranger = await givenHolder(world, { planCode: 'PLAN-B', days: 1 })
})
afterAll(() => world.app.close())

const progress = (user: TestUser, plan = 'PLAN-360') =>
  get(world, user, `/user/earnings/${plan}/progress`)

test('cycles are grouped into stretches: credited, frozen by a fee, frozen unclaimed, lapsed', async () => {
  await claim(world, holder, 'HALF') // after cycle 9, on its day
  await passDays(world.stakes, 3)
  const [made] = await claimRows(world)
  await receive(world, transferEvent(world, { value: made?.exact_amount ?? 0n }))
  await passDays(world.stakes, 33)
  const { status, body } = await progress(holder)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    earning_plan_code: 'PLAN-360',
    start_day: '2026-03-01',
    duration_days: 360,
    total_reward: '36.000000',
    claims: [
      {
        code_claim: made?.code_claim,
        claim_type: 'HALF',
        state: 'paid',
        claim_day: '2026-03-10',
        first_cycle: 1,
        last_cycle: 9,
        claimed_amount: '0.900000',
      },
    ],
  })
  const stretch = (first_cycle: number, last_cycle: number, amount: string, facts: object) =>
    expect.objectContaining({ first_cycle, last_cycle, amount, ...facts })
  expect(body.stretches).toEqual([
    stretch(1, 8, '0.800000', { is_frozen: false, is_lapsed: false, first_day: '2026-03-02' }),
    stretch(9, 11, '0.300000', { is_frozen: true, is_lapsed: false }),
    stretch(12, 38, '2.700000', { is_frozen: false, is_lapsed: false }),
    stretch(39, 42, '0.400000', { is_frozen: true, is_lapsed: false }),
    stretch(43, 45, '0.300000', { is_frozen: true, is_lapsed: true, last_day: '2026-04-15' }),
  ])
})

test('a cancelled claim froze the earning only while its fee was open', async () => {
  await claim(world, stranger, 'FULL', { earning_plan_code: 'PLAN-B' })
  const [{ code_claim = '' } = {}] = (await claimRows(world)).filter(
    ({ plan_code }) => plan_code === 'PLAN-B',
  )
  await passDays(world.stakes, 2)
  await post(world, stranger, '/user/cancel-claim', { code_claim })
  const { body } = await progress(stranger, 'PLAN-B')
  expect(body.claims).toMatchObject([{ code_claim, state: 'cancelled' }])
  expect(body.stretches.at(-1)).toMatchObject({ is_frozen: true })
})

test("another holder's earning is not found", async () => {
  const { status, body } = await progress(stranger)
  expect([status, body.code]).toEqual([404, 'EARNING_NOT_FOUND'])
})
