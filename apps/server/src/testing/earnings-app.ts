import { type ChainReader, createEvmClient } from '@dct/chain-clients'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { earningsRoutes } from '../modules/earnings/earnings.routes.ts'
import { earningsAdminRoutes } from '../modules/earnings/earnings-admin.routes.ts'
import type { Plan } from '../modules/plans/index.ts'
import { type Clock, realClock } from '../platform/clock.ts'
import type { App } from '../platform/http/http.ts'
import { createLogger } from '../platform/logger.ts'
import { createTestApp } from './app.ts'
import { createTestDatabase, type TestDatabase, wipe } from './database.ts'
import { ManualClock } from './manual-clock.ts'
import { dct } from './plans.ts'
import { givenFundedPlan, givenStake, stakeDeps } from './stakes.ts'
import { bearer, givenUser, type TestUser } from './users.ts'

/** An address where nothing listens, for tests that announce no join. */
const NO_NODE = createEvmClient({ url: 'http://127.0.0.1:9' })

export type EarningsApp = {
  app: App
  database: TestDatabase
  /** The stakes whose capital release was requested. */
  released: bigint[]
}

/** The earnings routes on a separate database. */
export async function startEarningsApp(options: {
  clock: Clock
  tron?: { reader: ChainReader; staking: Hex }
}): Promise<EarningsApp> {
  const { clock, tron = { reader: NO_NODE, staking: '0x5a' } } = options
  const database = await createTestDatabase()
  const app = await createTestApp({ db: database.db, realClock })
  const released: bigint[] = []
  const deps = {
    ...stakeDeps({ db: database.db, clock }),
    log: createLogger('silent'),
    dctDecimals: 6,
    tron,
    requestRelease: async (_tx: unknown, { stakeId }: { stakeId: bigint }) => {
      released.push(stakeId)
    },
  }
  await app.register(earningsRoutes, { prefix: '/api', ...deps })
  await app.register(earningsAdminRoutes, { prefix: '/api', ...deps })
  return { app, database, released }
}

const START = '2026-01-10T03:00:00Z'

/** One such app for a file. Each test starts at 10:00 on 2026-01-10, with a holder, an admin and a funded plan. */
export function useEarningsApp() {
  const clock = new ManualClock(START)
  let started: EarningsApp | undefined
  let cast: { holder: TestUser; admin: TestUser; plan: Plan } | undefined
  const current = () => {
    if (started === undefined) throw new Error('the app has not started')
    return started
  }
  const addUser = (facts: Parameters<typeof givenUser>[1] = {}) =>
    givenUser({ db: current().database.db, clock, realClock }, facts)
  const deps = () => ({ ...stakeDeps({ db: current().database.db, clock }), clock })
  const given = () => {
    if (cast === undefined) throw new Error('no test has begun')
    return cast
  }
  beforeAll(async () => {
    started = await startEarningsApp({ clock })
  })
  afterAll(async () => {
    await started?.app.close()
    await started?.database.drop()
  })
  beforeEach(async () => {
    await wipe(current().database.db)
    clock.set(START)
    current().released.length = 0
    const [holder, admin] = [await addUser(), await addUser({ role: 'admin' })]
    cast = { holder, admin, plan: await givenFundedPlan(deps()) }
  })
  return {
    clock,
    addUser,
    app: () => current().app,
    db: () => current().database.db,
    released: () => current().released,
    deps,
    given,
    plan720: () =>
      givenFundedPlan(deps(), { code: 'PLAN-720', durationDays: 720, rateBps: 21_600 }),
    stake: (user: TestUser, facts: { plan?: Plan; amount?: string } = {}) =>
      givenStake(deps(), {
        plan: facts.plan ?? given().plan,
        staker: user.address,
        amount: dct(facts.amount ?? '10'),
      }),
    /** The JSON response of a request that must succeed. */
    async get(path: string, user: TestUser) {
      const response = await current().app.inject({ url: `/api${path}`, headers: bearer(user) })
      expect([path, response.statusCode]).toEqual([path, 200])
      return response.json()
    },
  }
}
