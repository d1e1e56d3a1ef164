import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useEarningsApp } from '../../testing/earnings-app.ts'
import { givenFundedPlan, givenStake, hashOf, passDays } from '../../testing/stakes.ts'
import { bearer, type TestUser } from '../../testing/users.ts'
import type { Plan } from '../plans/index.ts'

const setup = useEarningsApp()
const { clock, deps, plan720, stake } = setup
let holder: TestUser
let admin: TestUser
let plan: Plan

beforeEach(() => {
  ;({ holder, admin, plan } = setup.given())
})

const get = (path: string, user = admin) => setup.get(path, user)

test('[API-34, API-35, API-39] admins see all earnings, filtered by plan or by today, and their history', async () => {
  const other = await setup.addUser()
  const second = await plan720()
  await stake(holder, { amount: '11' })
  await passDays(deps(), 1)
  await stake(other, { amount: '12' })
  await stake(other, { plan: second, amount: '13' })
  const amounts = async (path: string) => {
    const { earnings, total } = await get(path)
    return [
      total,
      earnings.map((row: { total_locked_amount: string }) => Number(row.total_locked_amount)),
    ]
  }
  expect(await amounts('/admin/user-earnings?sort_by=total_locked_amount&sort_order=asc')).toEqual([
    3,
    [11, 12, 13],
  ])
  expect(await amounts('/admin/user-earnings?sort_by=total_locked_amount&sort_order=desc')).toEqual(
    [3, [13, 12, 11]],
  )
  expect(await amounts('/admin/user-earnings?earning_plan_code=PLAN-360&sort_order=asc')).toEqual([
    2,
    [11, 12],
  ])
  expect(await amounts('/admin/daily-user-earnings?earning_plan_code=PLAN-360')).toEqual([1, [12]])
  expect(await amounts(`/admin/daily-user-earnings?search=${holder.wallet.tronAddress}`)).toEqual([
    0,
    [],
  ])
  expect(await amounts(`/admin/user-earnings?search=${holder.wallet.tronAddress}`)).toEqual([
    1,
    [11],
  ])
  expect(
    await amounts(`/admin/user-earnings?search=${holder.wallet.tronAddress.slice(0, 9)}`),
  ).toEqual([1, [11]])
  expect(await amounts('/admin/user-earning-history?end_date=2026-01-10')).toEqual([1, [11]])
  expect((await get('/admin/user-earnings')).earnings[0]).toMatchObject({
    is_registered: true,
  })
})

test('stakes of an unregistered address are listed for admins and are assigned to the holder on registration', async () => {
  const stranger = Buffer.alloc(20, 0x77)
  await givenStake(deps(), { plan, staker: stranger })
  await stake(holder)
  const { earnings, total } = await get('/admin/user-earnings?is_registered=false')
  expect(total).toBe(1)
  expect(earnings).toMatchObject([{ is_registered: false }])
})

test('[API-36, API-68, ENT-19] transactions are the stakes, active until they end', async () => {
  const short = await givenFundedPlan(deps(), { code: 'SHORT', durationDays: 3, rateBps: 300 })
  await stake(holder, { plan: short })
  clock.set('2026-01-14T03:00:00Z')
  await stake(holder)
  const answer = await get('/admin/transactions')
  expect(answer).toMatchObject({ total: 2, totalPages: 1, is_total_capped: false })
  expect(answer.transactions).toMatchObject([
    { is_active: true, earning_plan_code: 'PLAN-360', created_at: '2026-01-14T03:00:00.000Z' },
    { is_active: false, earning_plan_code: 'SHORT', tron_address: holder.wallet.tronAddress },
  ])
  const { transactions } = await get('/admin/transactions?end_date=2026-01-13')
  expect(transactions).toMatchObject([{ earning_plan_code: 'SHORT' }])
  const later = await get('/admin/transactions?start_date=2026-01-14')
  expect(later.transactions).toMatchObject([{ earning_plan_code: 'PLAN-360' }])
  const [{ trx_hash: hash }] = transactions
  expect((await get(`/admin/transactions?search=0x${hash}`)).total).toBe(1)
  for (const sort of ['is_active', 'tron_address', 'earning_plan_code', 'trx_hash', 'created_at']) {
    expect(await get(`/admin/transactions?sort_by=${sort}`)).toMatchObject({ total: 2 })
  }
})

test('stakes are found by a plan code that looks like an address, and by either end of address and hash', async () => {
  const trend = await givenFundedPlan(deps(), { code: 'TREND', durationDays: 3, rateBps: 300 })
  await stake(holder, { plan: trend })
  await stake(await setup.addUser())
  const [newest] = (await get('/admin/transactions?search=TREND')).transactions
  const { trx_hash: hash, tron_address: address } = newest
  const shown = (value: string) => `${value.slice(0, 5)}...${value.slice(-5)}`
  for (const search of [
    'TRE',
    'trend',
    address.slice(-5),
    address.slice(-12),
    shown(address),
    shown(address).replace('...', '…'),
    hash.slice(0, 8).toUpperCase(),
    hash.slice(-8).toUpperCase(),
    shown(hash),
    shown(`0x${hash}`),
  ]) {
    const found = encodeURIComponent(search)
    for (const list of ['transactions', 'user-earnings', 'user-earning-history']) {
      const { total, transactions, earnings } = await get(`/admin/${list}?search=${found}`)
      expect([search, list, total]).toEqual([search, list, 1])
      expect((transactions ?? earnings)[0]).toMatchObject({ tron_address: address })
    }
  }
  const other = encodeURIComponent(`${address.slice(0, 5)}...${hash.slice(-5)}`)
  expect((await get(`/admin/transactions?search=${other}`)).total).toBe(0)
})

test('rewards are found by a plan code that looks like an address, and by the end of an address', async () => {
  const trend = await givenFundedPlan(deps(), { code: 'TREND', durationDays: 3, rateBps: 300 })
  await stake(holder, { plan: trend })
  await stake(await setup.addUser())
  await passDays(deps(), 2)
  for (const search of ['TREND', holder.wallet.tronAddress.slice(-6)]) {
    const { rewards } = await get(`/admin/reward-distribution-history?search=${search}`)
    expect(rewards).toMatchObject([{ earning_plan_code: 'TREND' }, { earning_plan_code: 'TREND' }])
  }
})

test('ended transactions are sorted before or after active ones, on pages read from either end', async () => {
  const short = await givenFundedPlan(deps(), { code: 'SHORT', durationDays: 3, rateBps: 300 })
  for (let n = 0; n < 3; n += 1) await stake(await setup.addUser(), { plan: short })
  clock.set('2026-01-14T03:00:00Z')
  for (let n = 0; n < 4; n += 1) await stake(await setup.addUser())
  // Two users announced the same hash, though neither made the transaction.
  for (const [user, hash, state] of [
    [holder, 'x', 'FAILED'],
    [admin, 'x', 'FAILED'],
    [admin, 'y', 'WAITING'],
  ] as const) {
    await sql`
      insert into announced_join (tx_hash, user_id, staker, plan_code, amount, reward, cycles, announced_at, state, reason)
      values (${hashOf(hash)}, ${user.id}, ${user.address}, 'PLAN-360', 10000000, 7200000, 360, ${clock.now()}, ${state},
        ${state === 'FAILED' ? 'LOCK_FAILED' : null})`.execute(setup.db())
  }
  type Shown = { is_active: boolean; trx_hash: string; tron_address: string }
  const page = async (query: string): Promise<Shown[]> =>
    (await get(`/admin/transactions?sort_by=is_active&${query}`)).transactions
  for (const order of ['asc', 'desc'] as const) {
    const whole = await page(`sort_order=${order}&limit=100`)
    expect(whole.filter((one) => one.is_active)).toHaveLength(5)
    expect(new Set(whole.map((one) => `${one.trx_hash} ${one.tron_address}`)).size).toBe(10)
    const keys = whole.map((one) => `${Number(one.is_active)} ${one.trx_hash}`)
    const sorted = keys.toSorted()
    expect(keys).toEqual(order === 'asc' ? sorted : sorted.reverse())
    const paged: Shown[] = []
    for (let n = 1; n <= 4; n += 1) {
      paged.push(...(await page(`sort_order=${order}&limit=3&page=${n}`)))
    }
    expect(paged.map((one) => `${Number(one.is_active)} ${one.trx_hash}`)).toEqual(keys)
  }
})

test('[API-37, API-41, API-70, ENT-08] admins see every cycle with its holder', async () => {
  const other = await setup.addUser()
  const second = await plan720()
  await stake(holder, { amount: '10' })
  clock.advanceMs(60_000)
  await stake(other, { amount: '20' })
  await passDays(deps(), 1)
  await stake(holder, { plan: second, amount: '30' })
  await passDays(deps(), 3)
  const path = '/admin/reward-distribution-history'
  const first = await get(path)
  expect(first).toMatchObject({ total: 11, totalPages: 2, is_total_capped: false })
  expect(first.rewards[0]).toEqual({
    reward_date: '2026-01-14',
    earning_plan_code: 'PLAN-360',
    reward_amount: '0.020000',
    cycle: 4,
    lapsed_amount: '0.000000',
    is_counted: true,
    tron_address: holder.wallet.tronAddress,
    locked_amount: '10.000000',
  })
  const all = await get(`${path}?limit=100`)
  const key = (reward: Record<string, unknown>) =>
    `${reward.reward_date} ${reward.earning_plan_code} ${Number(reward.locked_amount)}`
  const keys = all.rewards.map(key)
  expect(keys).toHaveLength(11)
  expect(new Set(keys).size).toBe(11)
  const days = keys.map((one: string) => one.slice(0, 10))
  expect(days).toEqual([...days].sort().reverse())

  // Every page size yields the same rows, in every order.
  for (const sort of ['reward_date', 'earning_plan_code', 'tron_address', 'locked_amount']) {
    for (const order of ['asc', 'desc']) {
      const query = `sort_by=${sort}&sort_order=${order}`
      const whole = (await get(`${path}?limit=100&${query}`)).rewards.map(key)
      const paged: string[] = []
      for (let page = 1; page <= 4; page += 1) {
        paged.push(...(await get(`${path}?limit=3&page=${page}&${query}`)).rewards.map(key))
      }
      expect([query, paged]).toEqual([query, whole])
      expect([...paged].sort()).toEqual([...keys].sort())
    }
  }
  // Within a plan, the earliest stakes come first, each starting with its latest cycle; descending order is the
  // reverse.
  const byPlan = async (order: string) =>
    (await get(`${path}?limit=100&sort_by=earning_plan_code&sort_order=${order}`)).rewards.map(
      (reward: Record<string, unknown>) => `${Number(reward.locked_amount)}: ${reward.cycle}`,
    )
  const cyclesOf = (amount: number, last: number) =>
    Array.from({ length: last }, (_, at) => `${amount}: ${last - at}`)
  expect(await byPlan('asc')).toEqual([...cyclesOf(10, 4), ...cyclesOf(20, 4), ...cyclesOf(30, 3)])
  expect(await byPlan('desc')).toEqual([...cyclesOf(30, 3), ...cyclesOf(20, 4), ...cyclesOf(10, 4)])
  const some = await get(`${path}?earning_plan_code=PLAN-720&start_date=2026-01-13`)
  expect(some.total).toBe(2)
  expect(some.rewards.map(key)).toEqual(['2026-01-14 PLAN-720 30', '2026-01-13 PLAN-720 30'])
  const early = await get(`${path}?earning_plan_code=PLAN-720&end_date=2026-01-12`)
  expect(early.rewards.map(key)).toEqual(['2026-01-12 PLAN-720 30'])
  const own = await get(`${path}?search=${other.wallet.tronAddress}&sort_order=asc`)
  expect(own.rewards.map(key)).toEqual(
    ['2026-01-11', '2026-01-12', '2026-01-13', '2026-01-14'].map((day) => `${day} PLAN-360 20`),
  )
  expect(await get('/admin/user-reward-history')).toMatchObject({ total: 11 })
})

test('[T010] holders cannot use admin lists, nor admins holder lists', async () => {
  const code = async (path: string, user: TestUser) =>
    (await setup.app().inject({ url: `/api${path}`, headers: bearer(user) })).statusCode
  expect(await code('/admin/user-earnings', holder)).toBe(403)
  expect(await code('/admin/transactions', holder)).toBe(403)
  expect(await code('/user/earnings', admin)).toBe(403)
  expect((await setup.app().inject({ url: '/api/user/earnings' })).statusCode).toBe(401)
})

test('rewards of stakes that began at the same moment have one order, on one page and across pages', async () => {
  for (let n = 0; n < 6; n += 1) await stake(await setup.addUser())
  await passDays(deps(), 1)
  for (const order of ['asc', 'desc']) {
    const path = `/admin/reward-distribution-history?sort_by=reward_date&sort_order=${order}`
    const holdersOf = async (query: string): Promise<string[]> =>
      (await get(`${path}&${query}`)).rewards.map(
        (one: { tron_address: string }) => one.tron_address,
      )
    const whole = await holdersOf('limit=100')
    const paged: string[] = []
    for (let n = 1; n <= 3; n += 1) paged.push(...(await holdersOf(`limit=2&page=${n}`)))
    expect(new Set(whole).size).toBe(6)
    expect([order, paged]).toEqual([order, whole])
  }
})
