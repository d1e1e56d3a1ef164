import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { parseAmount } from '@dct/money'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSession } from '../../modules/auth/sessions.ts'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { Outcome, Replica } from '../../platform/replica/replica.ts'
import { type RealApp, startRealApp } from '../../testing/real-app.ts'
import { devnet, givenPayer, givenRealHolder } from '../../testing/real-claims.ts'
import { addressesOf, sendUsdt } from '../../testing/sender-chains.ts'
import { type Pair, startPair } from '../../testing/standby.ts'
import { bearer, type TestUser } from '../../testing/users.ts'
import { examineReplica } from '../doctor/examine-replica.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { REPLICA_ROUTES } from './replica-routes.ts'

const host = useChainHost()
const folder = mkdtempSync(join(tmpdir(), 'dct-replica-routes-'))
const ROUTES = [...REPLICA_ROUTES.short, ...REPLICA_ROUTES.long]
let pair: Pair
let real: RealApp
let replica: Replica
let holder: TestUser
let admin: TestUser

beforeAll(async () => {
  pair = await startPair(folder)
  real = await startRealApp(host(), {
    DATABASE_URL: pair.primary.url,
    DATABASE_READ_URL: pair.standby.url,
    READ_MAX_AGE_SECONDS: '600',
  })
  if (real.context.replica === undefined) throw new Error('there is no replica')
  replica = real.context.replica
  await replica.probe()
  await devnet(real, 'settle')
  holder = await givenRealHolder(real, host())
  admin = await real.givenUser({ role: 'admin' })
  await devnet(real, 'settle')
  await devnet(real, 'advance', { days: 10 })
}, 180_000)
afterAll(async () => {
  await real?.stop()
  await pair?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(
  user: Pick<TestUser, 'token'>,
  url: string,
  { method = 'GET', payload }: { method?: 'GET' | 'POST' | 'PUT'; payload?: object } = {},
) {
  const answer = await real.app.inject({
    ...{ method, url, headers: bearer(user) },
    ...(payload === undefined ? {} : { payload }),
  })
  expect([url, answer.statusCode, answer.body]).toEqual([
    url,
    expect.toBeOneOf([200, 202]),
    answer.body,
  ])
  return answer
}

/** The body that a route returns, without the figure that depends on the time of the call. */
async function read(route: string): Promise<string> {
  const url = route.replace(':id', `${holder.id}`)
  const query = url.endsWith('/file') ? '?format=csv' : url.includes('money') ? '?days=7' : ''
  const { body } = await ask(url.startsWith('/api/admin') ? admin : holder, `${url}${query}`)
  return body.replace(/"downline_age_seconds":\d+/, '')
}

/** How the reads of some calls were answered. */
async function outcomesOf(calls: () => Promise<unknown>) {
  const before = new Map(replica.outcomes())
  await calls()
  const counts = [...replica.outcomes()].map(
    ([outcome, count]) => [outcome, count - (before.get(outcome) ?? 0)] as const,
  )
  return new Set<Outcome>(counts.flatMap(([outcome, count]) => (count > 0 ? [outcome] : [])))
}

const setRate = (percentage: number) =>
  ask(admin, '/api/admin/update-referral-reward', {
    method: 'PUT',
    payload: {
      target_tron_address: holder.wallet.tronAddress,
      referral_reward_percentage: percentage,
    },
  })
const countLog = async (user: Pick<TestUser, 'token'>): Promise<number> =>
  (await ask(user, '/api/admin/log')).json().total

test('no statement of a claim, its fee, its payout or an admin’s decision reaches the replica', async () => {
  const { statements } = pair.standby
  await pair.standby.caughtUp()
  await replica.probe()
  expect(replica.isUsable()).toBe(true)
  statements.length = 0
  const payload = { earning_plan_code: 'PLAN-360', claim_type: 'HALF' }
  await ask(holder, '/api/user/claimable-reward')
  const claimed = await ask(holder, '/api/user/claim', { method: 'POST', payload })
  await devnet(real, 'settle')
  await ask(holder, '/api/user/pending-claim-fees')
  const { privateKey } = await givenPayer(host())
  const hash = await sendUsdt(host(), privateKey, {
    to: addressesOf(host()).feeReceiver,
    amount: parseAmount('USDT', claimed.json().data.unpaid_fee_usdt),
  })
  const paid = { earning_plan_code: 'PLAN-360', tx_hash_usdt: hash }
  await ask(holder, '/api/user/pay-claim-fee', { method: 'POST', payload: paid })
  await devnet(real, 'settle')
  await ask(admin, '/api/admin/payouts')
  await ask(admin, '/api/admin/referral-claim-pool')
  await ask(admin, '/api/admin/unmatched-payments/csv')
  await setRate(20)
  expect(statements.filter((text) => !text.startsWith('select pg_last_wal_replay_lsn()'))).toEqual(
    [],
  )

  await pair.standby.caughtUp()
  await ask(holder, '/api/user/claim-history')
  await expect.poll(() => statements.some((text) => text.includes('from "claim"'))).toBe(true)
})

const answers = new Map<string, string>()

test('each route of the table is answered by the replica, and by nothing else', async () => {
  for (const user of [holder, admin]) {
    await ask(user, user === admin ? '/api/admin/log' : '/api/user/history')
  }
  await pair.standby.caughtUp()
  await replica.probe()
  const found: unknown[] = []
  for (const route of ROUTES) {
    const outcomes = await outcomesOf(async () => answers.set(route, await read(route)))
    found.push([route, [...outcomes]])
  }
  expect(found).toEqual(ROUTES.map((route) => [route, ['replica']]))
  const metrics = createMetrics({ context: real.context, role: 'api', loopStatus: () => [] })
  const text = await metrics.print()
  expect(text).toMatch(/^dct_replica_reads_total\{outcome="replica"\} [1-9]/m)
  expect(text).toMatch(/^dct_replica_age_seconds [\d.e-]+$/m)
})

test('users see their own writes on every device immediately, while others may be shown the replica’s data', async () => {
  const { db } = real.context
  const other = await real.givenUser({ role: 'admin' })
  const client = { ip: '127.0.0.1', userAgent: 'another device' }
  const device = await inTransaction(db, (tx) =>
    openSession({ realClock }, tx, { userId: admin.id, role: 'admin', client }),
  )
  const before = await countLog(other)
  await countLog(device)
  await pair.standby.caughtUp()
  await pair.standby.pause()
  await setRate(30)
  expect(await countLog(admin)).toBe(before + 1)
  expect(await countLog(device)).toBe(before + 1)
  expect(await outcomesOf(async () => expect(await countLog(other)).toBe(before))).toEqual(
    new Set(['replica']),
  )
  const newcomer = await real.givenUser({ role: 'admin' })
  expect(await countLog(newcomer)).toBe(before + 1)
  await pair.standby.resume()
  await pair.standby.caughtUp()
  expect(await outcomesOf(async () => countLog(admin))).toEqual(new Set(['replica']))
})

test('the doctor reports a replica that is unreachable, not a standby, or too far behind', async () => {
  const examine = async (url: string, maxAgeMs = 60_000) => {
    const found = await examineReplica({
      databaseUrl: pair.primary.url,
      replica: { url, maxAgeMs },
    })
    return found.map(({ name, verdict, text }) => `${name} ${verdict} ${text}`)
  }
  const { url } = pair.standby
  expect(await examine(url)).toEqual([expect.stringMatching(/^replica.age fine .* at most \d/)])
  expect(await examine(pair.primary.url)).toEqual([
    expect.stringMatching(/^replica.standby fault .*not a standby/),
  ])
  expect(await examine('postgres://nobody@127.0.0.1:1/none')).toEqual([
    expect.stringMatching(/^replica.reachable fault .*ECONNREFUSED/),
  ])
  await pair.standby.pause()
  await setRate(40)
  expect(await examine(url, 0)).toEqual([expect.stringMatching(/^replica.age fault .*behind/)])
  await pair.standby.resume()
})

test('when the replica is killed, no call fails and every answer is the same', async () => {
  await pair.standby.caughtUp()
  for (const route of ROUTES) answers.set(route, await read(route))
  process.kill(pair.standby.pid, 'SIGKILL')
  await pair.standby.exited
  for (const route of ROUTES) {
    expect([route, await read(route)]).toEqual([route, answers.get(route)])
  }
  await replica.probe()
  expect(await outcomesOf(() => read('/api/user/history'))).toEqual(new Set(['down']))
})
