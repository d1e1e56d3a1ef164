import type { User } from '@dct/api-contract/auth'
import type { AdminActionName } from '@dct/api-contract/codes'
import { LIST_ORDERS } from '@dct/api-contract/lists'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { raiseAlarm } from '../../platform/alarms/alarms.ts'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { App } from '../../platform/http/http.ts'
import { createTestApp } from '../../testing/app.ts'
import { claim, createClaimsWorld, givenHolder, givenMarket, post } from '../../testing/claims.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { expectPages } from '../../testing/expect-pages.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { dct } from '../../testing/plans.ts'
import { givenFundedPlan, givenStake, passDays, stakeDeps } from '../../testing/stakes.ts'
import { bearer, givenUser, type TestUser } from '../../testing/users.ts'
import type { ReferralTotals } from '../auth/index.ts'
import { createDownlineLoop } from '../referrals/index.ts'
import { adminRoutes } from './admin.routes.ts'
import { recordAdminAction } from './index.ts'

const clock = new ManualClock('2026-01-10T03:00:00Z')
const database = useTestDatabase()
let app: App
let admin: TestUser
/** Whether the session was confirmed by a fresh signature. */
let isConfirmed = true

const addUser = (facts: Parameters<typeof givenUser>[1] = {}) =>
  givenUser({ db: database.db, clock, realClock }, facts)

beforeAll(async () => {
  app = await createTestApp({ db: database.db, realClock })
  const readReferralTotals = async () => new Map<bigint, ReferralTotals>()
  const requireStepUp = async () => {
    if (!isConfirmed) throw new Refusal('STEP_UP_REQUIRED')
  }
  const deps = { db: database.db, clock, dctDecimals: 6, readReferralTotals, requireStepUp }
  await app.register(adminRoutes, { prefix: '/api', ...deps })
})
afterAll(() => app.close())
beforeEach(async () => {
  await wipe(database.db)
  isConfirmed = true
  clock.set('2026-01-10T03:00:00Z')
  admin = await addUser({ role: 'admin', email: 'boss@example.com' })
})

async function get(path: string, user = admin) {
  const response = await app.inject({ url: `/api${path}`, headers: bearer(user) })
  expect([path, response.statusCode]).toEqual([path, 200])
  return response.json()
}
async function remove(id: string, user = admin) {
  const response = await app.inject({
    method: 'DELETE',
    url: `/api/admin/users/${id}`,
    headers: bearer(user),
  })
  return [response.statusCode, response.json().code ?? 'removed']
}
const idsOf = (reply: { users: User[] }) => reply.users.map(({ id }) => BigInt(id))

test('[API-29, ENT-20, ROLE-05] the dashboard adds up users, plans, transactions, rewards and claims', async () => {
  const zero = { total_earnings: '0.000000', total_claims: '0.000000' }
  expect(await get('/admin/dashboard-stats')).toEqual({
    ...{ total_users: 1, total_plans: 0, total_transactions: 0 },
    ...zero,
  })
  const holder = await addUser()
  const deps = { ...stakeDeps({ db: database.db, clock }), clock }
  const plan = await givenFundedPlan(deps)
  await givenStake(deps, { plan, staker: holder.address, amount: dct('50') })
  await passDays(deps, 3)
  expect(await get('/admin/dashboard-stats')).toEqual({
    ...{ total_users: 2, total_plans: 1, total_transactions: 1 },
    ...{ total_earnings: '0.300000', total_claims: '0.000000' },
  })
})

test('[API-29, ENT-20] claimed amounts are added up, cancelled claims excluded', async () => {
  const world = await createClaimsWorld(database.db, clock)
  await givenMarket(world)
  const holder = await givenHolder(world, { days: 10 })
  const claimed = async () => (await get('/admin/dashboard-stats')).total_claims
  const { body } = await claim(world, holder, 'FULL')
  expect(await claimed()).toBe('1.000000')
  await passDays(world.stakes, 2)
  await post(world, holder, '/user/cancel-claim', { code_claim: body.data.code_claim })
  expect(await claimed()).toBe('0.000000')
  await claim(world, holder, 'HALF')
  expect(await claimed()).toBe('1.200000')
  await world.app.close()
})

test('[API-30, ENT-01] users are listed newest first, ten per page, with all their fields', async () => {
  const users: TestUser[] = []
  for (let count = 0; count < 11; count += 1) {
    clock.set(`2026-01-11T03:00:${String(count).padStart(2, '0')}Z`)
    users.push(await addUser())
  }
  const first = await get('/admin/users')
  expect(first).toMatchObject({ total: 12, totalPages: 2, page: 1, limit: 10 })
  expect(idsOf(first)).toEqual(
    users
      .map(({ id }) => id)
      .toReversed()
      .slice(0, 10),
  )
  expect(idsOf(await get('/admin/users?page=2'))).toEqual([users[0]?.id, admin.id])
  const { id: _, ...fields } = first.users[0]
  expect(Object.keys(fields).toSorted()).toEqual(
    [...LIST_ORDERS.users.sortable, 'referrer_code', 'referrer_tron_address'].toSorted(),
  )
})

test('the list of users states the age of its downline sums', async () => {
  await createDownlineLoop({ db: database.db, pauseMs: 0 }).step()
  expect(await get('/admin/users')).toMatchObject({ downline_age_seconds: 0 })
  await addUser({ referrerId: admin.id })
  await sql`update downline_change set recorded_at = recorded_at - interval '42 seconds'`.execute(
    database.db,
  )
  expect((await get('/admin/users')).downline_age_seconds).toBeGreaterThanOrEqual(42)
})

test('users can be sorted by each of the fourteen fields in both directions', async () => {
  const [anna, bob] = [
    await addUser({ email: 'anna@example.com', referrerId: admin.id }),
    await addUser({ email: 'bob@example.com' }),
  ]
  await setFigures(anna.id, { direct: 5n, indirect: 2n, directs: 3 })
  await setFigures(bob.id, { direct: 9n, indirect: 1n, directs: 1 })
  const byText = (read: (user: User) => string) => (left: User, right: User) =>
    Buffer.compare(Buffer.from(read(left)), Buffer.from(read(right)))
  const all: User[] = (await get('/admin/users')).users
  const expected: Record<(typeof LIST_ORDERS.users.sortable)[number], readonly bigint[]> = {
    created_at: [admin.id, anna.id, bob.id],
    tron_address: all.toSorted(byText((user) => user.tron_address)).map(({ id }) => BigInt(id)),
    role: [admin.id, anna.id, bob.id],
    referral_code: all.toSorted(byText((user) => user.referral_code)).map(({ id }) => BigInt(id)),
    email: [anna.id, bob.id, admin.id],
    total_referrals: [admin.id, bob.id, anna.id],
    referral_reward_percentage: [admin.id, bob.id, anna.id],
    total_direct_reward: [admin.id, anna.id, bob.id],
    total_indirect_reward: [admin.id, bob.id, anna.id],
    total_direct_claimed: [admin.id, bob.id, anna.id],
    total_indirect_claimed: [admin.id, bob.id, anna.id],
    total_direct_unclaimed: [admin.id, anna.id, bob.id],
    total_indirect_unclaimed: [admin.id, anna.id, bob.id],
    total_referral_omset: [admin.id, bob.id, anna.id],
  }
  for (const sort of LIST_ORDERS.users.sortable) {
    const ascending = idsOf(await get(`/admin/users?sort_by=${sort}&sort_order=asc`))
    const descending = idsOf(await get(`/admin/users?sort_by=${sort}&sort_order=desc`))
    expect([sort, ascending]).toEqual([sort, expected[sort]])
    expect([sort, descending]).toEqual([sort, expected[sort].toReversed()])
    // With one row per page, pages are read from both ends of the index, for users with and without the figure.
    for (const [order, whole] of Object.entries({ asc: ascending, desc: descending })) {
      const paged: bigint[] = []
      for (let page = 1; page <= 4; page += 1) {
        const query = `sort_by=${sort}&sort_order=${order}&limit=1&page=${page}`
        paged.push(...idsOf(await get(`/admin/users?${query}`)))
      }
      expect([sort, order, paged]).toEqual([sort, order, whole])
    }
  }
  const wrong = await app.inject({ url: '/api/admin/users?sort_by=id', headers: bearer(admin) })
  expect(wrong.statusCode).toBe(400)
})

/** Sets the referral figures that the referrals module would maintain: anna has claimed 4 and 2, bob nothing. */
async function setFigures(
  id: bigint,
  figures: { direct: bigint; indirect: bigint; directs: number },
) {
  const { db } = database
  const hasClaimed = figures.directs === 3
  await db
    .updateTable('app_user')
    .set({ referral_reward_bps: figures.directs * 100 })
    .where('id', '=', id)
    .execute()
  await db
    .insertInto('downline_total')
    .values({
      user_id: id,
      directs: figures.directs,
      members: 3,
      turnover: BigInt(figures.directs),
    })
    .execute()
  await db
    .insertInto('referral_balance')
    .values([
      {
        ...{ user_id: id, kind: 'direct', row_count: 1n, earned: figures.direct },
        ...(hasClaimed ? { claimed: 4n, claimed_rows: 1n } : {}),
      },
      {
        ...{ user_id: id, kind: 'indirect', row_count: 1n, earned: figures.indirect },
        ...(hasClaimed ? { claimed: 2n, claimed_rows: 1n } : {}),
      },
    ])
    .execute()
}

test('a search matches either end of an address, and the start of an e-mail address or a referral code', async () => {
  const anna = await addUser({ email: 'Anna_1@example.com' })
  const bob = await addUser({ email: 'annax1@example.com' })
  const search = async (text: string) => {
    const reply = await get(`/admin/users?sort_order=asc&search=${encodeURIComponent(text)}`)
    expect(reply.total).toBe(reply.users.length)
    return idsOf(reply)
  }
  expect(await search('anna')).toEqual([anna.id, bob.id])
  expect(await search('ANNA_1')).toEqual([anna.id])
  expect(await search(anna.wallet.tronAddress)).toEqual([anna.id])
  expect(await search(` ${bob.wallet.tronAddress.slice(0, 12)} `)).toEqual([bob.id])
  const { tronAddress } = bob.wallet
  expect(await search(tronAddress.slice(-6))).toEqual([bob.id])
  expect(await search(`${tronAddress.slice(0, 5)}...${tronAddress.slice(-5)}`)).toEqual([bob.id])
  expect(await search(bob.referralCode.slice(0, 7).toLowerCase())).toEqual([bob.id])
  expect(await search('nobody')).toEqual([])
  expect(await search('T')).toHaveLength(3)
})

test('the filter selects users with their own percentage', async () => {
  const anna = await addUser()
  await addUser()
  await database.db
    .updateTable('app_user')
    .set({ referral_reward_bps: 1 })
    .where('id', '=', anna.id)
    .execute()
  const filtered = await get('/admin/users?filter_reward_percentage=true')
  expect([filtered.total, idsOf(filtered)]).toEqual([1, [anna.id]])
  expect((await get('/admin/users?filter_reward_percentage=false')).total).toBe(3)
})

test('[API-33] a user without earnings, rewards or downline can be removed by id or address, and disappears from list and count', async () => {
  const parent = await addUser()
  const child = await addUser({ referrerId: parent.id })
  const earner = await addUser()
  const rewarded = await addUser()
  const deps = { ...stakeDeps({ db: database.db, clock }), clock }
  const plan = await givenFundedPlan(deps)
  await givenStake(deps, { plan, staker: earner.address, amount: dct('10') })
  await setFigures(rewarded.id, { direct: 4n, indirect: 2n, directs: 3 })

  expect(await remove(`${parent.id}`)).toEqual([409, 'USER_HAS_DOWNLINE'])
  expect(await remove(`${earner.id}`)).toEqual([409, 'USER_HAS_EARNINGS'])
  expect(await remove(`${rewarded.id}`)).toEqual([409, 'USER_HAS_REWARDS'])
  expect(await remove(`${admin.id}`)).toEqual([409, 'CANNOT_REMOVE_SELF'])
  expect(await remove('999999')).toEqual([404, 'USER_NOT_FOUND'])
  expect(await remove('x')).toEqual([404, 'USER_NOT_FOUND'])
  expect(await remove(`${child.id}`, parent)).toEqual([403, 'FORBIDDEN'])
  expect((await get('/admin/users')).total).toBe(5)

  expect(await remove(child.wallet.tronAddress)).toEqual([200, 'removed'])
  expect(await remove(`${child.id}`)).toEqual([404, 'USER_NOT_FOUND'])
  expect(await remove(`${parent.id}`)).toEqual([200, 'removed'])
  const left = await get('/admin/users?sort_order=asc')
  expect([left.total, idsOf(left)]).toEqual([3, [admin.id, earner.id, rewarded.id]])
  expect(
    (await get('/admin/log')).entries.map((entry: { subject: string }) => entry.subject),
  ).toEqual([parent.wallet.tronAddress, child.wallet.tronAddress])
})

test('the log shows who did what, filtered by action and day, and searched by subject and admin', async () => {
  const record = (action: AdminActionName, subject: string) =>
    inTransaction(database.db, (tx) =>
      recordAdminAction(tx, {
        ...{ adminId: admin.id, action, subject, at: clock.now() },
        before: { price: '1' },
        after: { price: '2' },
      }),
    )
  await record('price.set', 'DCT')
  clock.set('2026-01-12T03:00:00Z')
  await record('plan.update', 'PLAN-360')
  const subjects = async (query: string) =>
    (await get(`/admin/log${query}`)).entries.map((entry: { subject: string }) => entry.subject)
  expect(await subjects('')).toEqual(['PLAN-360', 'DCT'])
  expect(await get('/admin/log')).toMatchObject({ total: 2, is_total_capped: false })
  await expectPages((query) => get(`/admin/log?${query}`), 'entries')
  expect(await subjects('?search=PLAN')).toEqual(['PLAN-360'])
  expect(await subjects('?action=price.set')).toEqual(['DCT'])
  expect(await subjects('?end_date=2026-01-11')).toEqual(['DCT'])
  const other = await addUser({ role: 'admin' })
  const address = admin.wallet.tronAddress
  expect(await subjects(`?search=${other.wallet.tronAddress}`)).toEqual([])
  expect(await subjects(`?search=${address}`)).toHaveLength(2)
  expect(await subjects(`?search=${address.slice(0, 5)}...${address.slice(-5)}`)).toHaveLength(2)
  expect((await get('/admin/log')).actions).toEqual(['plan.update', 'price.set'])
  expect((await get('/admin/log')).entries[1]).toMatchObject({
    admin_tron_address: admin.wallet.tronAddress,
    before: { price: '1' },
    after: { price: '2' },
  })
})

test('open alarms are listed', async () => {
  await raiseAlarm(database.db, {
    kind: 'audit',
    subject: 'DCT',
    message: 'off by 1',
    at: clock.now(),
  })
  expect(await get('/admin/alarms')).toEqual({
    alarms: [
      {
        ...{ kind: 'audit', subject: 'DCT', message: 'off by 1', times: 1 },
        raised_at: clock.now().toISOString(),
      },
    ],
  })
})

test('an alarm about a one-off event ends when an admin acknowledges it, and the reason is logged', async () => {
  const { db } = database
  const at = clock.now()
  const missed = {
    kind: 'event_missed',
    subject: 'TRON 7',
    message: 'A node left it out.',
    at,
  } as const
  await raiseAlarm(db, missed)
  await raiseAlarm(db, { kind: 'chain_halt', subject: 'TRON', message: 'A block changed.', at })
  const acknowledge = async (
    kind: string,
    subject: string,
    reason = 'The provider is replaced.',
  ) => {
    const response = await app.inject({
      method: 'POST',
      url: '/api/admin/alarms/acknowledge',
      headers: bearer(admin),
      payload: { kind, subject, reason },
    })
    return [response.statusCode, response.json().code ?? response.json().message]
  }
  expect(await acknowledge('event_missed', 'TRON 7', '')).toEqual([400, 'BAD_REQUEST'])
  expect(await acknowledge('chain_halt', 'TRON')).toEqual([409, 'ALARM_HAS_CAUSE'])
  expect(await acknowledge('event_missed', 'TRON 8')).toEqual([409, 'ALARM_NOT_OPEN'])
  expect(await acknowledge('constructor', 'TRON 7')).toEqual([409, 'ALARM_NOT_OPEN'])
  expect((await get('/admin/log')).total).toBe(0)

  expect(await acknowledge('event_missed', 'TRON 7')).toEqual([200, 'The alarm is acknowledged.'])
  expect(await acknowledge('event_missed', 'TRON 7')).toEqual([409, 'ALARM_NOT_OPEN'])
  expect((await get('/admin/alarms')).alarms).toMatchObject([{ kind: 'chain_halt' }])
  expect((await get('/admin/log')).entries).toMatchObject([
    {
      action: 'alarm.acknowledge',
      subject: 'event_missed:TRON 7',
      after: { reason: 'The provider is replaced.' },
    },
  ])
  const told = await db.selectFrom('outbox_message').select(['type', 'data']).execute()
  expect(told.map(({ type, data }) => [type, data.kind])).toContainEqual([
    'alarm.resolved',
    'event_missed',
  ])
})

test('[ROLE-14, ROLE-16] a holder’s token is refused, and so is a call without a token', async () => {
  const holder = await addUser()
  for (const path of ['dashboard-stats', 'users', 'log', 'alarms']) {
    const url = `/api/admin/${path}`
    expect((await app.inject({ url, headers: bearer(holder) })).statusCode).toBe(403)
    expect((await app.inject({ url })).statusCode).toBe(401)
  }
})

test('an unconfirmed session cannot remove a user', async () => {
  const user = await addUser()
  isConfirmed = false
  expect(await remove(`${user.id}`)).toEqual([403, 'STEP_UP_REQUIRED'])
  isConfirmed = true
  expect(await remove(`${user.id}`)).toEqual([200, 'removed'])
})
