import type { ReservesReply } from '@dct/api-contract/reports'
import { createEvmClient, createTronClient } from '@dct/chain-clients'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { everything } from '../../testing/all-tables.ts'
import { createTestApp } from '../../testing/app.ts'
import { type RealApp, startRealApp } from '../../testing/real-app.ts'
import { call, devnet, givenPayer, givenRealHolder } from '../../testing/real-claims.ts'
import { callBsc } from '../../testing/sender-chains.ts'
import { account, postTransfers } from '../ledger/index.ts'
import { type PublicRoutesDeps, publicRoutes } from './public.routes.ts'
import { readReserves } from './read-reserves.ts'

const host = useChainHost()
const NOWHERE = 'http://127.0.0.1:9'
let real: RealApp

const deps = () => {
  const { db, clock, dctDecimals, chains, priceMaxAgeMs } = real.context
  return { db, clock, dctDecimals, tron: chains.tron, bsc: chains.bsc, priceMaxAgeMs }
}
const planOf = (reserves: ReservesReply, code = 'PLAN-360') =>
  reserves.plans.find(({ plan_code }) => plan_code === code)

/** A holder with 50 DCT on chain, and a HALF claim whose first half was sent. */
beforeAll(async () => {
  real = await startRealApp(host())
  await devnet(real, 'settle')
  const holder = await givenRealHolder(real, host())
  await devnet(real, 'settle')
  await devnet(real, 'advance', { days: 11 })
  const payload = { earning_plan_code: 'PLAN-360', claim_type: 'HALF' }
  const claimed = await call(real, holder, { method: 'POST', url: '/user/claim', payload })
  expect(claimed.status).toBe(200)
  await devnet(real, 'settle')
}, 120_000)
afterAll(() => real.stop())

test('anyone can see the commitments and the contracts’ balances at a final block', async () => {
  const reply = await real.app.inject('/api/public/reserves')
  expect(reply.statusCode).toBe(200)
  const reserves: ReservesReply = reply.json()
  // 50 DCT at 72 %: 36 in total, 0.1 a day; half of eleven days' rewards was claimed and sent.
  expect(planOf(reserves)).toMatchObject({
    on_chain: { funded: '10000.000000', reserved: '35.450000', paid: '0.550000' },
    booked: {
      promised: { total: '35.450000', unclaimed: '0.000000', claimed: '0.550000' },
      locked: '50.000000',
      stakes: 1,
    },
  })
  expect(planOf(reserves)?.on_chain?.free).toBe('9964.000000')
  expect(planOf(reserves)?.booked.promised.future).toBe('34.900000')
  expect(reserves.tron).toMatchObject({
    total_locked: '50.000000',
    staking_balance: '50.000000',
    stakes: 1,
    block: { hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
  })
  expect(reserves.tron?.pool_must_hold).toBe(reserves.tron?.pool_balance)
  expect(reserves.booked).toMatchObject({ locked: '50.000000', stakes: 1 })
  expect(reserves.bsc?.payout_wallet_balance).toMatch(/^\d+\.\d{6}$/)
})

test('the debt to referrers is the sum of their accounts, whatever else moved', async () => {
  const { db } = real.context
  const payer = await givenPayer(host())
  await callBsc(host(), payer.privateKey, {
    to: deps().bsc.usdt,
    data: `0xa9059cbb${deps().bsc.receiver.slice(2).padStart(64, '0')}${(7n * 10n ** 18n).toString(16).padStart(64, '0')}`,
  })
  await devnet(real, 'settle')
  const at = real.context.clock.now()
  const one = { asset: 'USDT', kind: 'test', at } as const
  await inTransaction(db, async (tx) => {
    const rewards = [account.referralDirect(1n), account.referralIndirect(2n), account.payout(3n)]
    const transfers = rewards.map((credit, index) => ({
      ...one,
      debit: account.suspense,
      credit,
      amount: BigInt(index + 1) * 10n ** 18n,
      ref: `owed ${index}`,
    }))
    await postTransfers(tx, transfers)
  })
  const { rows } = await sql<{ owed: bigint }>`
    select sum(credits - debits) as owed from ledger_account where asset = 'USDT'
      and (code like 'referral%' or code like 'payout:%')`.execute(db)
  expect(rows[0]?.owed).toBe(6n * 10n ** 18n)
  expect((await readReserves(deps())).booked.referral_owed).toBe('6.000000')
})

test('the latest audit is shown, with its differences and the checks that could not be performed', async () => {
  const at = new Date('2026-01-02T03:04:05Z')
  const outcome = { name: 'one', compared: 2, differences: [] }
  const outcomes = [outcome, { ...outcome, skipped: 'the watcher is behind the chain' }]
  for (const differences of [9, 1]) {
    const run = { is_full: true, started_at: at, finished_at: at, compared: 40n, differences }
    await everything(real.context.db)
      .insertInto('audit_run')
      .values({ ...run, outcomes: sql`${JSON.stringify(outcomes)}::jsonb` })
      .execute()
  }
  expect((await readReserves(deps())).last_audit).toEqual({
    finished_at: at.toISOString(),
    is_full: true,
    compared: 40,
    differences: 1,
    skipped: 1,
  })
})

test('while no node answers, the figures of that chain are unknown, not 0', async () => {
  const { tron, bsc } = deps()
  const silentTron = createTronClient({ http: { url: NOWHERE }, jsonRpc: { url: NOWHERE } })
  const withoutTron = await readReserves({ ...deps(), tron: { ...tron, reader: silentTron } })
  expect(withoutTron.tron).toBeNull()
  expect(planOf(withoutTron)).toMatchObject({ on_chain: null, booked: { locked: '50.000000' } })
  expect(withoutTron.bsc).not.toBeNull()
  const silentBsc = createEvmClient({ url: NOWHERE })
  const withoutBsc = await readReserves({ ...deps(), bsc: { ...bsc, reader: silentBsc } })
  expect(withoutBsc.bsc).toBeNull()
  expect(withoutBsc.tron).not.toBeNull()
})

test('the state of the service is read once for all callers, who are not even counted', async () => {
  const { db } = real.context
  let looks = 0
  const watched: typeof realClock = {
    now() {
      looks += 1
      return realClock.now()
    },
  }
  const app = await createTestApp({ db, realClock })
  const options = { reservesForMs: 1, readsPerMinute: 1 }
  await app.register(publicRoutes, { prefix: '/api', ...deps(), ...options, realClock: watched })
  const asked = await Promise.all(
    Array.from({ length: 50 }, () => app.inject('/api/public/status')),
  )
  expect(asked.map(({ statusCode }) => statusCode)).toEqual(asked.map(() => 200))
  // Each request checks the cache once, and there is a single reading.
  expect(looks).toBe(50 + 1)
  expect(asked[0]?.json()).toMatchObject({ chains: [{ chain: 'BSC' }, { chain: 'TRON' }] })
  await app.close()
})

test('one reading is cached for all callers, and each caller is rate-limited', async () => {
  const { db } = real.context
  let questions = 0
  const { tron } = deps()
  const reader: typeof tron.reader = {
    ...tron.reader,
    finalCall: (calls) => {
      questions += 1
      return tron.reader.finalCall(calls)
    },
  }
  const app = await createTestApp({ db, realClock })
  const options: PublicRoutesDeps = {
    ...deps(),
    tron: { ...tron, reader },
    realClock,
    reservesForMs: 600_000,
    readsPerMinute: 3,
  }
  await app.register(publicRoutes, { prefix: '/api', ...options })
  const from = (remoteAddress: string) => app.inject({ url: '/api/public/reserves', remoteAddress })
  const asked = await Promise.all(Array.from({ length: 8 }, () => from('203.0.113.7')))
  // The requests may straddle two minutes.
  expect(asked.filter(({ statusCode }) => statusCode === 200).length).toBeLessThanOrEqual(6)
  expect(asked.find(({ statusCode }) => statusCode === 429)?.json().code).toBe('TOO_MANY_REQUESTS')
  expect((await from('198.51.100.1')).statusCode).toBe(200)
  expect(questions).toBe(1)
  await app.close()
})
