import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../platform/database/db.ts'
import { useEarningsApp } from '../../testing/earnings-app.ts'
import { dct } from '../../testing/plans.ts'
import { givenFundedPlan, hashOf, passDays, releasedEvent } from '../../testing/stakes.ts'
import { bearer, type TestUser } from '../../testing/users.ts'
import type { Plan } from '../plans/index.ts'
import { closeOpenFee, takeClaimable } from './index.ts'
import { upsertWaiting } from './joining/announced-joins.queries.ts'
import { bookStakingEvent } from './joining/book-stake.ts'

const setup = useEarningsApp()
const { clock, deps, plan720, stake } = setup
let holder: TestUser
let plan: Plan

beforeEach(() => {
  ;({ holder, plan } = setup.given())
})

const get = (path: string, user = holder) => setup.get(path, user)

test('[API-18, ENT-05] a holder sees each stake with its rewards', async () => {
  await stake(holder, { amount: '20' })
  await passDays(deps(), 3)
  const answer = await get('/user/earnings?page=1&limit=10')
  expect(answer).toMatchObject({ total: 1, totalPages: 1, page: 1, limit: 10 })
  expect(answer.earnings).toEqual([
    {
      id: expect.any(String),
      earning_plan_code: 'PLAN-360',
      start_date: '2026-01-10T03:00:00.000Z',
      end_date: '2027-01-05T03:00:00.000Z',
      tron_address: holder.wallet.tronAddress,
      total_locked_amount: '20.000000',
      total_reward: '14.400000',
      total_shared_reward: '0.120000',
      daily_reward: '0.040000',
      total_unclaimed: '0.120000',
      reward_distribution_count: 3,
      is_frozen: false,
      is_hash_confirmed: 'SUCCESS',
      waited_seconds: null,
      trx_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      failure_reason: null,
      duration_days: 360,
      distributed_cycles: 3,
      total_lapsed: '0.000000',
      freeze_limit: 30,
      freeze_reason: null,
      freeze_warning: null,
      freezes_on: '2026-02-09',
      claimable_from: '2026-01-25',
      lapses_from: '2026-02-13',
      claim_until: '2027-07-04T03:00:00.000Z',
      expired_amount: '0.000000',
      capital_state: 'locked',
      release_trx_hash: null,
    },
  ])
})

test('[ENT-06] a stake is SUCCESS on chain, WAITING or FAILED before, and a failed one has a reason', async () => {
  await stake(holder)
  const announce = (planCode: string, state: string, reason: string | null) =>
    sql`insert into announced_join (tx_hash, user_id, staker, plan_code, amount, reward, cycles, announced_at, state, reason)
      values (${hashOf(planCode)}, ${holder.id}, ${holder.address}, ${planCode}, 10000000, 7200000, 360,
        ${new Date(clock.now().getTime() - 75_000)}, ${state}, ${reason})`.execute(setup.db())
  await announce('PLAN-B', 'WAITING', null)
  await announce('PLAN-C', 'FAILED', 'LOCK_FAILED')
  const { earnings } = await get('/user/earnings?sort_by=earning_plan_code&sort_order=asc')
  expect(
    earnings.map((earning: Record<string, unknown>) => [
      earning.earning_plan_code,
      earning.is_hash_confirmed,
      earning.waited_seconds,
      earning.failure_reason,
      earning.total_shared_reward,
    ]),
  ).toEqual([
    ['PLAN-360', 'SUCCESS', null, null, '0.000000'],
    ['PLAN-B', 'WAITING', 75, null, '0.000000'],
    ['PLAN-C', 'FAILED', null, 'This transaction failed on chain. Nothing was locked.', '0.000000'],
  ])
})

test('a failed join is hidden once the plan has been joined, but stays in the history', async () => {
  await sql`insert into announced_join (tx_hash, user_id, staker, plan_code, amount, reward, cycles, announced_at, state, reason)
    values (${hashOf('x')}, ${holder.id}, ${holder.address}, 'PLAN-360', 10000000, 7200000, 360, ${clock.now()}, 'FAILED', 'LOCK_FAILED')`.execute(
    setup.db(),
  )
  expect((await get('/user/earnings')).earnings).toHaveLength(1)
  await stake(holder)
  const current = await get('/user/earnings')
  expect(current.earnings).toMatchObject([{ is_hash_confirmed: 'SUCCESS' }])
  expect(current.total).toBe(1)
  const history = await get('/user/user-earning-history')
  expect(history.total).toBe(2)
})

test('[API-20] the earning history includes ended, failed and lapsed earnings', async () => {
  const short = await givenFundedPlan(deps(), { code: 'SHORT', durationDays: 3, rateBps: 300 })
  await stake(holder, { plan: short })
  await passDays(deps(), 5)
  await stake(holder)
  const { earnings, total } = await get('/user/user-earning-history')
  expect(total).toBe(2)
  expect(earnings).toMatchObject([
    { earning_plan_code: 'PLAN-360', distributed_cycles: 0 },
    { earning_plan_code: 'SHORT', distributed_cycles: 3, total_shared_reward: '0.300000' },
  ])
})

test('[API-18] earnings are searched, filtered by plan, sorted and paged', async () => {
  const other = await plan720()
  await stake(holder, { amount: '30' })
  clock.advanceMs(60_000)
  await stake(holder, { plan: other, amount: '20' })
  const codes = async (query: string) =>
    (await get(`/user/earnings${query}`)).earnings.map(
      (earning: { earning_plan_code: string }) => earning.earning_plan_code,
    )
  expect(await codes('')).toEqual(['PLAN-720', 'PLAN-360'])
  expect(await codes('?sort_by=total_locked_amount&sort_order=asc')).toEqual([
    'PLAN-720',
    'PLAN-360',
  ])
  expect(await codes('?sort_by=start_date&sort_order=asc')).toEqual(['PLAN-360', 'PLAN-720'])
  expect(await codes('?earning_plan_code=PLAN-360')).toEqual(['PLAN-360'])
  expect(await codes('?earning_plan_code=PLAN-NONE')).toEqual([])
  expect(await codes('?search=720')).toEqual(['PLAN-720'])
  expect(await codes('?page=2&limit=1')).toEqual(['PLAN-360'])
  expect(await get('/user/earnings?page=2&limit=1')).toMatchObject({ total: 2, totalPages: 2 })
  const refused = await setup.app().inject({
    url: '/api/user/earnings?sort_by=id;drop',
    headers: bearer(holder),
  })
  expect([refused.statusCode, refused.json().code]).toEqual([400, 'BAD_SORT'])
})

test('[T011] holders cannot see stakes or rewards of others', async () => {
  const other = await setup.addUser()
  await stake(other)
  await passDays(deps(), 2)
  for (const path of [
    '/user/earnings',
    '/user/user-earning-history',
    '/user/reward-distribution-history',
    '/user/user-reward-history',
  ]) {
    expect(await get(path)).toMatchObject({ total: 0 })
    expect(await get(path, other)).not.toMatchObject({ total: 0 })
  }
})

test('the smallest stake reaches the minimum claim on the very day of its freeze, and not before', async () => {
  await stake(holder)
  const days = async () => {
    const { earnings } = await get('/user/earnings')
    const { claimable_from, freezes_on, lapses_from, is_frozen } = earnings[0]
    return [claimable_from, freezes_on, lapses_from, is_frozen]
  }
  await passDays(deps(), 29)
  expect(await days()).toEqual(['2026-02-09', '2026-02-09', '2026-02-13', false])
  await passDays(deps(), 1)
  expect(await days()).toEqual([null, null, '2026-02-13', true])
})

test('[CONST-06] at 30 counting cycles an earning is frozen, with the dates of the next steps', async () => {
  await stake(holder)
  await passDays(deps(), 29)
  expect((await get('/user/earnings')).earnings).toMatchObject([
    {
      reward_distribution_count: 29,
      is_frozen: false,
      freeze_warning: 29,
      freezes_on: '2026-02-09',
      lapses_from: '2026-02-13',
    },
  ])
  await passDays(deps(), 1)
  expect((await get('/user/earnings')).earnings).toMatchObject([
    {
      reward_distribution_count: 30,
      is_frozen: true,
      freeze_reason: 'unclaimed',
      freezes_on: null,
      lapses_from: '2026-02-13',
    },
  ])
  await passDays(deps(), 5)
  expect((await get('/user/earnings')).earnings).toMatchObject([
    {
      reward_distribution_count: 35,
      total_shared_reward: '0.660000',
      total_unclaimed: '0.660000',
      total_lapsed: '0.040000',
      lapses_from: '2026-02-15',
    },
  ])
})

test('an earning is frozen from a claim until its fee is paid, and its cycles continue', async () => {
  await stake(holder)
  await passDays(deps(), 31)
  const taken = await inTransaction(setup.db(), (tx) =>
    takeClaimable(tx, { staker: holder.address, planCode: plan.code, now: clock.now() }),
  )
  await passDays(deps(), 2)
  expect((await get('/user/earnings')).earnings).toMatchObject([
    {
      reward_distribution_count: 2,
      is_frozen: true,
      freeze_reason: 'open_fee',
      total_shared_reward: '0.660000',
      total_unclaimed: '0.040000',
    },
  ])
  await inTransaction(setup.db(), (tx) => closeOpenFee(tx, taken))
  expect((await get('/user/earnings')).earnings).toMatchObject([
    { is_frozen: false, freeze_reason: null, total_unclaimed: '0.040000' },
  ])
})

test('[API-22, API-23, ENT-08] the distribution history has one record per cycle, latest first', async () => {
  const other = await plan720()
  await stake(holder)
  await stake(holder, { plan: other })
  await passDays(deps(), 2)
  const answer = await get('/user/reward-distribution-history')
  expect(answer).toMatchObject({ total: 4, totalPages: 1 })
  expect(answer.rewards[0]).toEqual({
    reward_date: '2026-01-12',
    earning_plan_code: 'PLAN-360',
    reward_amount: '0.020000',
    cycle: 2,
    lapsed_amount: '0.000000',
    is_counted: true,
  })
  const keys = (rewards: { reward_date: string; earning_plan_code: string }[]) =>
    rewards.map((reward) => `${reward.reward_date} ${reward.earning_plan_code}`)
  expect(keys(answer.rewards)).toEqual([
    '2026-01-12 PLAN-360',
    '2026-01-12 PLAN-720',
    '2026-01-11 PLAN-360',
    '2026-01-11 PLAN-720',
  ])
  const pick = async (query: string) =>
    keys((await get(`/user/reward-distribution-history?${query}`)).rewards)
  expect(await pick('sort_by=reward_amount&sort_order=asc&limit=1')).toEqual([
    '2026-01-11 PLAN-360',
  ])
  expect(await pick('search=720&sort_order=asc')).toEqual([
    '2026-01-11 PLAN-720',
    '2026-01-12 PLAN-720',
  ])
  expect(await pick('search=01-12')).toEqual(['2026-01-12 PLAN-360', '2026-01-12 PLAN-720'])
  expect(await pick('search=12 jan')).toEqual(['2026-01-12 PLAN-360', '2026-01-12 PLAN-720'])
  expect(await pick('search=Nov')).toEqual([])
  const [{ reward_amount: amount }] = (
    await get('/user/reward-distribution-history?earning_plan_code=PLAN-720')
  ).rewards
  expect(await pick(`search=${amount}&sort_order=asc`)).toEqual([
    '2026-01-11 PLAN-720',
    '2026-01-12 PLAN-720',
  ])
  expect(
    await pick('start_date=2026-01-12&end_date=2026-01-12&earning_plan_code=PLAN-720'),
  ).toEqual(['2026-01-12 PLAN-720'])
  expect(await pick('end_date=2026-01-11')).toEqual(['2026-01-11 PLAN-360', '2026-01-11 PLAN-720'])
  expect(await pick('search=%25')).toEqual([])
  expect((await get('/user/user-reward-history?page=2&limit=3')).rewards).toHaveLength(1)
})

test('the history shows lapsed cycles with the lost amount', async () => {
  await stake(holder)
  await passDays(deps(), 34)
  const { rewards } = await get('/user/user-reward-history?limit=1')
  expect(rewards).toMatchObject([
    { cycle: 34, reward_amount: '0.000000', lapsed_amount: '0.020000' },
  ])
  for (const shown of ['lapsed', 'HANGUS']) {
    const found = await get(`/user/user-reward-history?search=${shown}`)
    expect(found).toMatchObject({ total: 1, rewards: [{ cycle: 34 }] })
  }
})

test('capital can be requested once, after the end, and is shown until it has been returned', async () => {
  const short = await givenFundedPlan(deps(), { code: 'SHORT', durationDays: 3, rateBps: 300 })
  const stakeId = await stake(holder, { plan: short })
  const ask = async (planCode = 'SHORT') =>
    setup.app().inject({
      method: 'POST',
      url: '/api/user/request-claim',
      headers: bearer(holder),
      payload: { earning_plan_code: planCode },
    })
  const early = await ask()
  expect([early.statusCode, early.json().code]).toEqual([422, 'CAPITAL_NOT_DUE'])
  const unknown = await ask('PLAN-360')
  expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'EARNING_NOT_FOUND'])

  clock.set('2026-01-13T03:00:00Z')
  expect((await get('/user/earnings')).earnings).toMatchObject([{ capital_state: 'due' }])
  expect((await ask()).json()).toEqual({
    message: 'Your capital is being sent back to your wallet.',
    capital_state: 'releasing',
  })
  expect((await ask()).statusCode).toBe(200)
  expect(setup.released()).toEqual([stakeId])

  const event = releasedEvent({
    stakeId,
    staker: holder.address,
    amount: dct('10'),
    at: clock.now(),
  })
  await inTransaction(setup.db(), (tx) => bookStakingEvent(deps(), tx, event))
  expect((await ask()).json()).toMatchObject({ capital_state: 'released' })
  expect((await get('/user/earnings')).earnings).toMatchObject([
    { capital_state: 'released', release_trx_hash: event.txHash.toString('hex') },
  ])
})

test('[T011] when two holders announce the same hash, each sees only their own announcement', async () => {
  const other = await setup.addUser()
  for (const [user, amount] of [
    [holder, '11'],
    [other, '12'],
  ] as const) {
    await inTransaction(setup.db(), (tx) =>
      upsertWaiting(tx, {
        ...{ txHash: hashOf('x'), userId: user.id, staker: user.address, planCode: 'PLAN-360' },
        ...{ amount: dct(amount), reward: dct('1'), cycles: 360, announcedAt: clock.now() },
      }),
    )
  }
  const own = { tron_address: holder.wallet.tronAddress, total_locked_amount: '11.000000' }
  expect((await get('/user/earnings')).earnings).toMatchObject([own])
  const others = { tron_address: other.wallet.tronAddress, total_locked_amount: '12.000000' }
  expect((await get('/user/earnings', other)).earnings).toMatchObject([others])
})
