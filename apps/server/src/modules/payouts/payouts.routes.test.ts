import { formatEvmAddress } from '@dct/rules/addresses'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { DAY_MS, realClock } from '../../platform/clock.ts'
import type { AdminAction } from '../../platform/database/admin-actions.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { App } from '../../platform/http/http.ts'
import { createTestApp } from '../../testing/app.ts'
import { someoneWaits, useTestDatabase, wipe } from '../../testing/database.ts'
import { expectPages } from '../../testing/expect-pages.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { givenRewardPayout, givenUsdtPayout, senderWorld } from '../../testing/senders.ts'
import { bearer, givenUser, type TestUser } from '../../testing/users.ts'
import { voidPayout } from './index.ts'
import { payoutJobs } from './payouts.jobs.ts'
import { payoutsRoutes } from './payouts.routes.ts'
import { sendersRoutes } from './senders.routes.ts'

const HOLDER: Hex = `0x${'a1'.repeat(20)}`
const WALLET: Hex = `0x${'b2'.repeat(20)}`
const OPERATOR: Hex = `0x${'c3'.repeat(20)}`
const clock = new ManualClock('2026-03-01T03:00:00Z')
const acts: AdminAction[] = []
let isStepUpDone = true
const database = useTestDatabase()
let app: App
let admin: TestUser
let user: TestUser

beforeAll(async () => {
  const { db } = database
  app = await createTestApp({ db, realClock })
  const deps = {
    prefix: '/api',
    ...{ db, clock, dctDecimals: 6, operator: OPERATOR, payoutOperator: WALLET },
    codesOfClaims: async (_db: unknown, ids: readonly bigint[]) =>
      new Map(ids.map((id) => [id, `CL-${id}`])),
    async recordAdminAction(_tx: Tx, act: AdminAction) {
      acts.push(act)
    },
    async requireStepUp() {
      if (!isStepUpDone) throw new Refusal('FORBIDDEN')
    },
  }
  await app.register(payoutsRoutes, deps)
  await app.register(sendersRoutes, deps)
})
afterAll(() => app.close())
beforeEach(async () => {
  await wipe(database.db)
  clock.set('2026-03-01T03:00:00Z')
  acts.length = 0
  isStepUpDone = true
  admin = await givenUser({ db: database.db, clock, realClock }, { role: 'admin' })
  user = await givenUser({ db: database.db, clock, realClock })
})

const world = () => ({ ...senderWorld(database.db, {} as never), clock })
const givenReward = (lastCycle = 1) =>
  givenRewardPayout(world(), {
    to: HOLDER,
    amount: 1_500_000n,
    stakeId: 7n,
    planCode: 'PLAN-360',
    lastCycle,
  })

async function get(url: string, who = admin) {
  const reply = await app.inject({ url: `/api${url}`, headers: bearer(who) })
  return { status: reply.statusCode, body: reply.json() }
}

async function post(url: string, payload: object, who = admin) {
  const reply = await app.inject({
    method: 'POST',
    url: `/api${url}`,
    headers: bearer(who),
    payload,
  })
  return { status: reply.statusCode, body: reply.json() }
}

test('a claim’s payout is listed with the claim’s code', async () => {
  await givenRewardPayout(world(), {
    ...{ to: HOLDER, amount: 1_500_000n, stakeId: 7n, planCode: 'PLAN-360', lastCycle: 1 },
    cause: 'claim:17:later',
  })
  await givenUsdtPayout(world(), { to: WALLET, amount: 10n ** 18n, cause: 'referral-claim:17' })
  const { body } = await get('/admin/payouts?sort_by=amount&sort_order=asc')
  const codes = body.payouts.map((one: { code_claim: string | null }) => one.code_claim)
  expect(codes.toSorted()).toEqual(['CL-17', null])
})

test('admins can list and search payouts with their state', async () => {
  const id = await givenReward()
  await givenUsdtPayout(world(), { to: WALLET, amount: 10n ** 18n, cause: 'referral:1' })
  const { body } = await get('/admin/payouts')
  expect(body).toMatchObject({ total: 2, is_total_capped: false })
  const reward = body.payouts.find((one: { asset: string }) => one.asset === 'DCT')
  expect(reward).toMatchObject({
    id: `${id}`,
    chain: 'TRON',
    amount: '1.500000',
    plan_code: 'PLAN-360',
    to_address: expect.stringMatching(/^T/),
    state: 'waiting',
    wait_reason: null,
    tx_hash: null,
    attempts: 0,
    code_claim: null,
  })
  await expectPages(async (query) => (await get(`/admin/payouts?${query}`)).body, 'payouts')
  const total = async (query: string) => (await get(`/admin/payouts?${query}`)).body.total
  expect(await total('chain=BSC')).toBe(1)
  expect(await total('state=sent')).toBe(0)
  expect(await total(`search=${reward.to_address}`)).toBe(1)
  const { to_address: to } = reward
  expect(await total(`search=${to.slice(-6)}`)).toBe(1)
  expect(await total(`search=${to.slice(0, 5)}...${to.slice(-5)}`)).toBe(1)
  expect(await total('search=referral:')).toBe(1)
  expect(await total(`search=${'ab'.repeat(32)}`)).toBe(0)
  expect((await get('/admin/payouts?sort_by=to_address')).body.code).toBe('BAD_SORT')
})

test('a payout can be held before it is signed, and retried; both are logged', async () => {
  const id = `${await givenReward()}`
  expect((await post('/admin/payouts/hold', { id, reason: 'Under review' })).status).toBe(200)
  const { body } = await get('/admin/payouts?state=waiting')
  expect(body.payouts).toMatchObject([
    { id, wait_reason: 'HELD', wait_text: 'It is held until an admin retries it: Under review' },
  ])
  expect((await post('/admin/payouts/retry', { id })).status).toBe(200)
  expect((await get('/admin/payouts?state=waiting')).body.total).toBe(1)
  expect(acts).toMatchObject([
    {
      ...{ action: 'payout.hold', subject: `payout:${id}`, adminId: admin.id },
      ...{ before: { state: 'waiting' }, after: { state: 'waiting', reason: 'Under review' } },
    },
    {
      ...{ action: 'payout.retry', subject: `payout:${id}`, adminId: admin.id },
      ...{ before: { state: 'waiting', reason: 'HELD' }, after: { state: 'waiting' } },
    },
  ])
})

test('a payout returned concurrently is not retried', async () => {
  const id = await givenReward()
  await post('/admin/payouts/hold', { id: `${id}`, reason: 'Under review' })
  const { db } = database
  const { retried } = await inTransaction(db, async (tx) => {
    await voidPayout(tx, id)
    const sent = post('/admin/payouts/retry', { id: `${id}` })
    await someoneWaits(db)
    return { retried: sent }
  })
  expect(await retried).toMatchObject({ status: 409, body: { code: 'PAYOUT_NOT_HELD' } })
  expect((await get('/admin/payouts?state=returned')).body.total).toBe(1)
})

test('a signed payout cannot be held; an ended one can be neither held nor retried', async () => {
  const id = await givenReward()
  const { db } = database
  await db.updateTable('payout').set({ state: 'sent' }).where('id', '=', id).execute()
  const hold = () => post('/admin/payouts/hold', { id: `${id}`, reason: 'x' })
  expect((await hold()).body.code).toBe('PAYOUT_SIGNED')
  await db
    .updateTable('payout')
    .set({ state: 'final', final_tx: Buffer.alloc(32, 1), final_at: clock.now() })
    .where('id', '=', id)
    .execute()
  expect((await hold()).body.code).toBe('PAYOUT_ENDED')
  expect((await post('/admin/payouts/retry', { id: '999' })).status).toBe(404)
})

test.each(['retry', 'give-up'])(
  'an unknown operator call is reported as not found (%s)',
  async (act) => {
    const answer = await post(`/admin/operator-calls/${act}`, { id: '999' })
    expect(answer).toMatchObject({ status: 404, body: { code: 'OPERATOR_CALL_NOT_FOUND' } })
  },
)

test('retrying needs a fresh signature, and all routes need an admin', async () => {
  const id = `${await givenReward()}`
  isStepUpDone = false
  expect((await post('/admin/payouts/retry', { id })).status).toBe(403)
  isStepUpDone = true
  for (const url of ['/admin/payouts', '/admin/senders']) {
    expect((await get(url, user)).status).toBe(403)
  }
  for (const url of ['/admin/payouts/retry', '/admin/payouts/hold']) {
    expect((await post(url, { id }, user)).status).toBe(403)
  }
})

test('admins see what waits for each sender', async () => {
  for (const [cycle, state] of ['waiting', 'sent', 'sent', 'held', 'held', 'held'].entries()) {
    const id = await givenReward(cycle + 1)
    await (state === 'held'
      ? sql`update payout set wait_reason = 'HELD' where id = ${id}`
      : sql`update payout set state = ${state} where id = ${id}`
    ).execute(database.db)
  }
  const { body } = await get('/admin/senders')
  expect(body.senders).toMatchObject([
    { chain: 'TRON', queued: 4, on_the_way: 2, held: 3 },
    { chain: 'BSC', queued: 0, address: formatEvmAddress(Buffer.from(WALLET.slice(2), 'hex')) },
  ])
})

test('a payout is returned only while nothing is signed for it, and is never paid afterwards', async () => {
  const id = await givenReward()
  const end = () => inTransaction(database.db, (tx) => voidPayout(tx, id))
  await end()
  await expect(end()).rejects.toMatchObject({ code: 'PAYOUT_ENDED' })
  expect((await get('/admin/payouts?state=returned')).body.total).toBe(1)
})

test('[CONST-08] a payment delayed by more than 24 hours raises an alarm', async () => {
  await givenReward()
  const job = payoutJobs({ clock })['payouts.late']
  const facts = { id: 1n, queue: 'payouts.late', key: 'hourly', payload: {}, attempts: 0 }
  const run = () =>
    inTransaction(database.db, (tx) => job?.(tx, facts) ?? Promise.resolve(undefined))
  clock.advanceMs(DAY_MS - 1)
  await run()
  expect(await openAlarms(database.db)).toEqual([])
  clock.advanceMs(2)
  expect(await run()).toEqual({ runAgainAt: new Date(clock.now().getTime() + 3_600_000) })
  expect(await openAlarms(database.db)).toMatchObject([{ kind: 'payout.late' }])
})
