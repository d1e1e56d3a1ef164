/** Prepares a world for each story: the same one for all, with two funded plans, a price and admins. */

import { openDatabase } from '../../apps/server/src/platform/database/db.ts'
import { migrate } from '../../apps/server/src/platform/database/migrate.ts'
import { setPercentageOf } from '../actors/admins.ts'
import { fillWallet } from '../actors/faults.ts'
import { claimBy, join, payBy, registerBy } from '../actors/holders.ts'
import { startAgain } from '../actors/restores.ts'
import { days } from '../actors/time.ts'
import { sound } from '../chains/node-faults.ts'
import { createChains, type TwoChains } from '../world/chains.ts'
import { compileOnce, hideModules } from '../world/compile-once.ts'
import { keepConnections } from '../world/connections.ts'
import { type Databases, startDatabases } from '../world/database.ts'
import { type Surroundings, takeOver } from '../world/determinism.ts'
import { openFewRoutes } from '../world/few-routes.ts'
import { openMailServer } from '../world/mail-server.ts'
import { watchStatements } from '../world/processes.ts'
import { randomFrom } from '../world/random.ts'
import { startService } from '../world/service.ts'
import { forgetSigners, rememberSigners } from '../world/signatures.ts'
import { callPool, endow, fundPlan, restartHashes } from '../world/wallet.ts'
import { World } from '../world/world.ts'
import { tellFinal } from './chronicle.ts'
import { Coverage } from './coverage.ts'
import type { Story } from './draw.ts'
import { type Ending, play } from './play.ts'
import { type Memory, Stage } from './stage.ts'

const FIRST_DAY = Date.parse('2026-01-10T03:00:00Z')
const EMPTY = 'empty'
const BEGINNING = 'beginning'
/** Short plans: a story has no time for 360 days. */
const PLANS = [
  { code: 'PLAN-30', cycles: 30, rateBps: 1_500n, percentage: '15' },
  { code: 'PLAN-90', cycles: 90, rateBps: 4_500n, percentage: '45' },
] as const
const FUNDS = 500n
/** What a story deletes stays in the files of its database. */
const STORIES_A_DATABASE = 25

export type Theatre = {
  play(story: Story, coverage: Coverage): Promise<Ending>
  close(): Promise<void>
}

/** A world in which the first holders have joined: every story begins there. */
type Beginning = {
  chains: TwoChains
  nowMs: number
  aheadMs: number
  memory: Memory
  sessions: ReadonlyMap<string, string>
}

/** From here on this process has no time, chance or network of its own. */
export async function openTheatre(): Promise<Theatre> {
  const databases = await startDatabases()
  await prepareSchema(databases)
  const surroundings: Surroundings = {
    nowMs: FIRST_DAY,
    random: randomFrom(0),
    few: undefined,
    ask: async () => sound('{}'),
  }
  takeOver(surroundings)
  keepConnections()
  watchStatements()
  compileOnce()
  openFewRoutes()
  rememberSigners()
  openMailServer()
  const beginning = await begin(databases, surroundings)
  hideModules()
  await databases.markBeginning(BEGINNING)
  let played = 0
  /** The database of the last story. */
  let database = 'none'
  return {
    async play(story, coverage) {
      if (played % STORIES_A_DATABASE > 0) await databases.putBack(database)
      else {
        await databases.drop(database)
        database = `story_${played}`
        await databases.create(database, BEGINNING)
      }
      played += 1
      const { nowMs } = beginning
      Object.assign(surroundings, { nowMs, random: randomFrom(story.seed), few: story.few })
      restartHashes()
      forgetSigners()
      const { tron, bsc } = beginning.chains
      const world = new World({
        ...{ databases, database, surroundings, startService, aheadMs: beginning.aheadMs },
        ...{ random: surroundings.random, nodes: story.nodes, settings: story.settings },
        hasKeyService: story.hasKeyService,
        chains: { tron: tron.copy(), bsc: bsc.copy() },
      })
      const stage = new Stage(world, coverage, randomFrom(story.seed))
      stage.remember(beginning.memory)
      stage.api.resume(beginning.sessions)
      try {
        for (const name of ['api', 'worker'] as const) await startAgain(stage, name)
        return await play(stage, story)
      } finally {
        world.setDatabaseTrouble(undefined)
        await world.stopAll()
        for (const backup of stage.backups) await databases.drop(backup.database)
      }
    },
    close: () => databases.stop(),
  }
}

async function begin(databases: Databases, surroundings: Surroundings): Promise<Beginning> {
  await databases.create(BEGINNING, EMPTY)
  const world = new World({
    ...{
      databases,
      database: BEGINNING,
      surroundings,
      startService,
      aheadMs: 0,
      random: surroundings.random,
    },
    ...{ nodes: { tron: 1, bsc: 1 }, chains: createChains(FIRST_DAY) },
  })
  const stage = new Stage(world, new Coverage(), randomFrom(0))
  await openPlans(stage)
  await firstHolders(stage)
  await world.stopAll()
  const { tron, bsc } = world.chains
  return {
    chains: { tron, bsc },
    nowMs: surroundings.nowMs,
    aheadMs: world.aheadMs,
    memory: stage.memory(''),
    sessions: stage.api.sessions,
  }
}

/**
 * Three holders, each referred by the one before, join; some days pass. The last one has claimed once and paid, so that
 * both referrers have a bonus, and the address from which a holder pays is known.
 */
async function firstHolders(stage: Stage): Promise<void> {
  const [first, second, third] = stage.holders
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('there are holders')
  await registerBy(stage, first, undefined)
  await registerBy(stage, second, first)
  await registerBy(stage, third, second)
  for (const [who, much] of [
    [0, 40],
    [1, 25],
    [2, 40],
  ] as const)
    await join(stage, [who, 0, 0, much])
  await stage.world.settle()
  tellFinal(stage)
  await setPercentageOf(stage, first, 30)
  await setPercentageOf(stage, second, 12)
  await days(stage, 3)
  await stage.world.settle()
  const claimed = await claimBy(stage, third, stage.plan(0), 'FULL')
  if (claimed === undefined) throw new Error('the first claim was refused')
  await payBy(stage, third, stage.plan(0), claimed, 'exact')
  await stage.world.settle()
  tellFinal(stage)
  await days(stage, 3)
  await stage.world.settle()
}

async function prepareSchema(databases: Databases): Promise<void> {
  await databases.create(EMPTY)
  const db = openDatabase({ url: databases.urlOf(EMPTY), maxConnections: 2 })
  await migrate(db)
  await db.destroy()
}

async function openPlans(stage: Stage): Promise<void> {
  const { world, api, books } = stage
  const { chains, admin, secondAdmin } = world
  for (const wallet of [admin, secondAdmin]) endow(chains, wallet)
  fillWallet(stage)
  for (const { code, cycles, rateBps } of PLANS) {
    callPool(chains, chains.tron.state.pool.operator, 'openPlan', [code, BigInt(cycles), rateBps])
  }
  world.mine(3)
  const fundings = PLANS.map(({ code }) =>
    fundPlan(chains, admin, { plan: code, amount: FUNDS * 1_000_000n }),
  )
  world.mine(3)
  for (const name of ['api', 'worker'] as const) {
    const problem = await world.start(name)
    if (problem !== undefined) throw new Error(problem)
  }
  await world.settle({ rounds: 2 })
  await api.call(admin, 'POST', '/admin/money-settings', { name: 'price', value: '1' })
  for (const [at, { code, cycles, rateBps, percentage }] of PLANS.entries()) {
    const terms = {
      plan_code: code,
      name: code,
      duration_days: cycles,
      total_percentage: percentage,
    }
    const money = {
      total_reward: `${FUNDS}`,
      daily_limit: `${FUNDS}`,
      is_accumulation_active: true,
    }
    const body = { ...terms, ...money, is_active: true, tx_hash: fundings[at]?.slice(2) }
    const { status, body: reply } = await api.call(admin, 'POST', '/admin/earning-plans', body)
    if (status !== 200)
      throw new Error(`the plan ${code} was not created: ${JSON.stringify(reply)}`)
    books.plans.set(code, { code, cycles, rateBps })
  }
  await world.settle({ rounds: 3 })
}
