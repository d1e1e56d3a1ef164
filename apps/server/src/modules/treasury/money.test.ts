import { createEvmClient, createTronClient } from '@dct/chain-clients'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { type Clock, DAY_MS, realClock } from '../../platform/clock.ts'
import { expectPages } from '../../testing/expect-pages.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { type RealApp, startRealApp } from '../../testing/real-app.ts'
import { bearer, type TestUser } from '../../testing/users.ts'
import { createAuditLoop } from '../audit/audit.jobs.ts'
import { createMoneyLoop } from './index.ts'

const host = useChainHost()
let real: RealApp
let admin: TestUser

beforeAll(async () => {
  real = await startRealApp(host())
  admin = await real.givenUser({ role: 'admin' })
  await moneyLoop({ clock: atNow(real.context.clock), real: atNow(realClock) }).step()
}, 120_000)
afterAll(() => real.stop())

async function get(path: string) {
  const reply = await real.app.inject({ url: `/api${path}`, headers: bearer(admin) })
  return { status: reply.statusCode, body: reply.json() }
}

const atNow = (clock: Clock) => new ManualClock(clock.now())
const DEAD_END = 'http://127.0.0.1:9'

/** The worker's loop with the test's clocks; with `isBscDown`, no BSC node answers. */
function moneyLoop(clocks: { clock: ManualClock; real: ManualClock }, isBscDown = false) {
  const { db, chains, operator, payoutOperator } = real.context
  const unreachable = {
    reader: createEvmClient({ url: DEAD_END, timeoutMs: 500 }),
    node: createEvmClient({ url: DEAD_END, timeoutMs: 500 }),
  }
  return createMoneyLoop({
    ...{ db, clock: clocks.clock, realClock: clocks.real, tron: chains.tron },
    ...{ operator, payoutOperator },
    bsc: isBscDown ? { ...chains.bsc, ...unreachable } : chains.bsc,
    pauseMs: 60_000,
  })
}

test('debts and funds, per plan and in total, match the ledger and the chains', async () => {
  const { status, body } = await get('/admin/money')
  expect(status).toBe(200)
  const untouched = {
    ...{ promised: '0.000000', credited: '0.000000', awaiting_fee: '0.000000' },
    ...{ awaiting_payout: '0.000000', owed: '0.000000', lapsed: '0.000000' },
  }
  const plan = {
    ...{ ...untouched, free: '10000.000000', pool_booked: '10000.000000' },
    ...{ paid: '0.000000', funded: '10000.000000' },
  }
  expect(body.dct.plans).toEqual([
    { plan_code: 'PLAN-360', pool_on_chain: '10000.000000', ...plan },
    { plan_code: 'PLAN-720', pool_on_chain: '10000.000000', ...plan },
  ])
  expect(body.dct.total).toEqual({
    ...untouched,
    ...{ free: '20000.000000', pool_booked: '20000.000000' },
    ...{ paid: '0.000000', funded: '20000.000000' },
  })
  expect(body.usdt).toMatchObject({ owed: '0.000000', unmatched: '0.000000' })
  const funds = Object.fromEntries(
    body.funds.map((fund: { name: string; amount: string; is_stale: boolean }) => [
      fund.name,
      fund,
    ]),
  )
  expect(funds.reward_pool).toMatchObject({ asset: 'DCT', amount: '20000.000000' })
  expect(funds.payout_usdt).toMatchObject({ asset: 'USDT', amount: '10000.000000' })
  expect(funds.payout_bnb).toMatchObject({ asset: 'BNB' })
  // What is owed to referrers was published in the vault.
  expect(Number(funds.payout_bnb.amount)).toBeGreaterThan(99.99)
  expect(Number(funds.operator_trx.amount)).toBeGreaterThan(900_000)
  expect(body.funds.map(({ is_stale }: { is_stale: boolean }) => is_stale)).not.toContain(true)
  expect(body.warnings).toEqual([])
})

test('figures of an unreachable chain are shown as last read, with the time of that reading', async () => {
  const seen = (await get('/admin/money')).body.funds
  const later = new ManualClock(new Date(realClock.now().getTime() + DAY_MS))
  const loop = moneyLoop({ clock: atNow(real.context.clock), real: later }, true)
  await loop.step()
  const funds: { name: string; amount: string; read_at: string }[] = (await get('/admin/money'))
    .body.funds
  const of = (list: typeof funds, name: string) => list.find((fund) => fund.name === name)
  expect(of(funds, 'payout_usdt')).toMatchObject({
    amount: of(seen, 'payout_usdt')?.amount,
    read_at: of(seen, 'payout_usdt')?.read_at,
  })
  expect(of(funds, 'operator_trx')?.read_at).toBe(later.now().toISOString())
})

test('figures that could not be read for a while are marked stale, with a warning', async () => {
  const { db } = real.context
  await sql`update funds_reading set read_at = now() - interval '6 minutes' where name = 'payout_bnb'`.execute(
    db,
  )
  const { body } = await get('/admin/money')
  expect(body.funds.find(({ name }: { name: string }) => name === 'payout_bnb').is_stale).toBe(true)
  expect(body.warnings).toContainEqual({
    ...{ code: 'FUNDS_UNKNOWN', severity: 'bad', subject: 'payout_bnb' },
    ...{ there: null, needed: null, days: null },
  })
})

test('the opening figures of each business day are recorded once; those that could not be read remain unknown', async () => {
  const { db } = real.context
  await sql`truncate money_day, funds_reading`.execute(db)
  const clocks = {
    clock: atNow(real.context.clock),
    real: atNow(realClock),
  }
  const loop = moneyLoop(clocks, true)
  await loop.step()
  await loop.step()
  const first = (await get('/admin/money-history')).body.days
  expect(first).toMatchObject([
    { dct_owed: '0.000000', dct_pool: '20000.000000', usdt_wallet: null, bnb: null },
  ])
  expect(first).toMatchObject([{ dct_locked: '0.000000', usdt_fees: '0.000000' }])
  expect(Number(first[0].trx)).toBeGreaterThan(900_000)
  const ofPlan = (await get('/admin/money-history?days=7&plan_code=PLAN-360')).body.days
  expect(ofPlan).toMatchObject([{ dct_pool: '10000.000000', usdt_owed: '0.000000' }])
  const ofNone = (await get('/admin/money-history?plan_code=PLAN-NONE')).body.days
  expect(ofNone).toMatchObject([{ dct_pool: null }])
  expect((await get('/admin/money-history?days=6')).status).toBe(400)
})

test('an alarm is open exactly as long as a wallet is short', async () => {
  const { db } = real.context
  const clocks = {
    clock: atNow(real.context.clock),
    real: atNow(realClock),
  }
  const loop = moneyLoop(clocks, true)
  const setBnb = (wei: string) =>
    sql`insert into funds_reading values ('payout_bnb', ${wei}, now(), null)
      on conflict (name) do update set amount = excluded.amount, read_at = excluded.read_at`.execute(
      db,
    )
  const calls = async () =>
    (await openAlarms(db)).filter(({ kind }) => kind === 'funds.low').map(({ subject }) => subject)
  await setBnb('1000')
  await loop.step()
  expect(await calls()).toEqual(['BNB_LOW'])
  await setBnb(`${10n ** 18n}`)
  clocks.real.advanceMs(60_000)
  await loop.step()
  expect(await calls()).toEqual([])
})

test('health lists chains, loops and jobs; the worker runs a requested audit, even if its first attempt fails', async () => {
  const { body } = await get('/admin/health')
  expect(body.chains).toMatchObject([
    { chain: 'BSC', blocks_behind: 0, is_halted: false },
    { chain: 'TRON', blocks_behind: 0, is_halted: false },
  ])
  const names = body.loops.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['audit', 'distributor', 'jobs', 'money']))
  expect(body.jobs.map(({ queue }: { queue: string }) => queue)).toContain('payouts.late')

  const { db, clock, chains, log } = real.context
  // Without nodes the audit covers only the ledger, and does not wait.
  const reader = createTronClient({ http: { url: DEAD_END }, jsonRpc: { url: DEAD_END } })
  const deps = {
    ...{ db, clock, log, tron: { ...chains.tron, reader } },
    bsc: { ...chains.bsc, reader: createEvmClient({ url: DEAD_END, timeoutMs: 500 }) },
  }
  const loop = createAuditLoop(deps)
  await loop.step()
  const full = async () => (await get('/admin/ledger-audits?is_full=true')).body.total
  const before = await full()
  const ask = (is_full: boolean) =>
    real.app.inject({
      ...{ method: 'POST', url: '/api/admin/ledger-audits' },
      ...{ headers: bearer(admin), payload: { is_full } },
    })
  expect((await ask(true)).statusCode).toBe(200)
  expect((await ask(false)).statusCode).toBe(200)
  const finalCall = () => Promise.reject(new Error('cut off'))
  const failing = createAuditLoop({
    ...deps,
    tron: { ...deps.tron, reader: { ...reader, finalCall } },
  })
  await expect(failing.step()).rejects.toThrow('cut off')
  await loop.step()
  expect(await full()).toBe(before + 1)
  expect((await get('/admin/log?action=audit.ask')).body.total).toBe(2)
  await loop.step()
  expect(await full()).toBe(before + 1)
  await expectPages(
    (query) => get(`/admin/ledger-audits?${query}`).then(({ body }) => body),
    'audit_runs',
  )
})
