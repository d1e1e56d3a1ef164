import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import type { LoopStatus } from '../../platform/loops/loop.ts'
import { createReportLoop } from '../../platform/loops/loop-reports.ts'
import { type RealApp, startRealApp } from '../../testing/real-app.ts'
import { devnet, givenRealHolder } from '../../testing/real-claims.ts'
import { type Pair, startPair } from '../../testing/standby.ts'
import { bearer, type TestUser } from '../../testing/users.ts'
import { examineReplica } from '../doctor/examine-replica.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { REPLICA_ROUTES } from './replica-routes.ts'

const host = useChainHost()
const folder = mkdtempSync(join(tmpdir(), 'dct-replica-routes-'))
let pair: Pair
let real: RealApp
let holder: TestUser
let admin: TestUser

beforeAll(async () => {
  pair = await startPair(folder)
  real = await startRealApp(host(), {
    DATABASE_URL: pair.primary.url,
    DATABASE_READ_URL: pair.standby.url,
  })
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

async function read(route: string) {
  const query = route.includes('money') ? '?days=7' : ''
  const url = `${route.replace(':id', `${holder.id}`)}${query}`
  const answer = await real.app.inject({ url, headers: bearer(admin) })
  expect([url, answer.statusCode]).toEqual([url, 200])
  // This figure depends on the time of the call.
  const body = answer.body.replace(/"downline_age_seconds":\d+/, '')
  return { route, body, isOfReplica: `${answer.headers['data-age']}` !== '0' }
}
const FILES = ['users', 'transactions', 'referral-reward-history/:id'].map(
  (list) => `/api/admin/${list}?format=csv`,
)
async function readAll() {
  const found = []
  for (const route of [...REPLICA_ROUTES, ...FILES]) found.push(await read(route))
  return found
}
/** What the loops of every process do: one reports, one looks whether the replica has the report. */
async function untilFresh() {
  const loop = { name: 'a loop', isIdle: true, failures: 0, lastError: null }
  const status = () => [loop as LoopStatus]
  await createReportLoop({ db: real.context.db, realClock, status }).step()
  await pair.standby.caughtUp()
  await real.context.replica?.probe()
}

test('each call of the list is answered by the replica with its age, with the same content as by the primary', async () => {
  await untilFresh()
  await pair.standby.caughtUp()
  const byReplica = await readAll()
  expect(byReplica.filter(({ isOfReplica }) => !isOfReplica)).toEqual([])
  const metrics = createMetrics({ context: real.context, role: 'api', loopStatus: () => [] })
  expect(await metrics.print()).toMatch(/^dct_replica_age_seconds [\d.e-]+$/m)
  const { replica } = real.context
  const reports = replica?.reports.bind(replica)
  if (replica === undefined) throw new Error('there is no replica')
  replica.reports = () => undefined
  const byPrimary = await readAll()
  expect(byPrimary).toEqual(byReplica.map((one) => ({ ...one, isOfReplica: false })))
  if (reports !== undefined) replica.reports = reports
})

test('nothing that holders see, and nothing that is decided on, is read from the replica', async () => {
  await untilFresh()
  const { statements } = pair.standby
  await pair.standby.caughtUp()
  statements.length = 0
  const ask = async (user: Pick<TestUser, 'token'>, url: string) => {
    const { statusCode, headers } = await real.app.inject({ url, headers: bearer(user) })
    expect([url, statusCode, headers['data-age']]).toEqual([url, 200, undefined])
  }
  for (const url of ['history', 'claim-history', 'claimable-reward', 'pending-claim-fees'])
    await ask(holder, `/api/user/${url}`)
  for (const url of ['payouts', 'referral-claim-pool', 'unmatched-payments?format=csv'])
    await ask(admin, `/api/admin/${url}`)
  expect(statements.filter((text) => !/loop_report|set_config|^set /i.test(text))).toEqual([])
})

test('the doctor reports a replica that is unreachable, not a standby, or too far behind', async () => {
  const examine = async (replicaUrl: string) => {
    const found = await examineReplica({ replicaUrl })
    return found.map(({ name, verdict, text }) => `${name} ${verdict} ${text}`)
  }
  expect(await examine(pair.standby.url)).toEqual([
    expect.stringMatching(/^replica.age fine .* at most \d/),
  ])
  expect(await examine(pair.primary.url)).toEqual([
    expect.stringMatching(/^replica.standby fault .*not a standby/),
  ])
  expect(await examine('postgres://nobody@127.0.0.1:1/none')).toEqual([
    expect.stringMatching(/^replica.reachable fault .*ECONNREFUSED/),
  ])
})

test('once the replica is killed, the primary answers', async () => {
  process.kill(pair.standby.pid, 'SIGKILL')
  await pair.standby.exited
  await real.context.replica?.probe()
  expect((await readAll()).filter(({ isOfReplica }) => isOfReplica)).toEqual([])
})
