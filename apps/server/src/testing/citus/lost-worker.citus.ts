import { startForwarder } from '@dct/local-services/testing/forwarder'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createHistoriesLoop } from '../../main/loops/histories-loop.ts'
import { earningsAdminRoutes } from '../../modules/earnings/earnings-admin.routes.ts'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { addDays, type BusinessDay, realClock, startOfBusinessDay } from '../../platform/clock.ts'
import { type Db, isOutage, OutcomeUnknown, openDatabase } from '../../platform/database/db.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { everything } from '../all-tables.ts'
import {
  claim,
  createClaimsWorld,
  expectBooksToBalance,
  get,
  givenAdmin,
  givenMarket,
} from '../claims.ts'
import { placeHistories } from '../database.ts'
import { createDatabase, type DatabaseServers, dropDatabase } from '../database-servers.ts'
import { ManualClock } from '../manual-clock.ts'
import { dct } from '../plans.ts'
import { givenFundedPlan, givenStake, runDueDays } from '../stakes.ts'
import { givenUser } from '../users.ts'

const START = '2026-01-10' as BusinessDay
const STAKES = 16
const DAYS = 10

/** The connection from the coordinator to a worker, which can be closed. */
async function startGate(worker: string) {
  const address = new URL(worker)
  const target = { host: address.hostname, port: Number(address.port) }
  let isOpen = true
  let lastWords: string | undefined
  const forwarder = await startForwarder({
    target: () => (isOpen ? target : undefined),
    passes(bytes, from) {
      if (lastWords !== undefined && from === 'client' && bytes.includes(lastWords)) isOpen = false
      return isOpen
    },
  })
  address.hostname = '127.0.0.1'
  address.port = `${forwarder.port}`
  return {
    url: address.href,
    close() {
      isOpen = false
      forwarder.cut()
    },
    /** Closes when the coordinator sends this text, before the worker receives it. */
    closeAt(text: string) {
      lastWords = text
    },
    open() {
      lastWords = undefined
      isOpen = true
    },
    isOpen: () => isOpen,
    stop: forwarder.stop,
  }
}

let made = 0

/** Stakes of one plan with rewards, on a cluster whose last worker is behind a gate. */
async function givenRewards() {
  const servers = inject('databaseServers')
  const gate = await startGate(`${servers.at(-1)}`)
  const gated = [...servers.slice(0, -1), gate.url] as unknown as DatabaseServers
  made += 1
  const name = `lost_worker_${process.pid}_${made}`
  const db = everything(openDatabase({ url: await createDatabase(gated, name), maxConnections: 4 }))
  const clock = new ManualClock(startOfBusinessDay(START))
  const world = await createClaimsWorld(db, clock)
  await world.app.register(earningsAdminRoutes, { prefix: '/api', clock, dctDecimals: 6 })
  onTestFinished(async () => {
    gate.open()
    await recover(db)
    await world.app.close()
    await db.destroy()
    gate.stop()
    await dropDatabase(servers, name)
  })
  await migrate(db)
  await placeHistories(db)
  const plan = await givenFundedPlan(world.stakes)
  const holder = await givenUser({ db, clock, realClock })
  await givenStake(world.stakes, { plan, staker: holder.address, amount: dct('50') })
  for (let byte = 1; byte < STAKES; byte += 1) {
    await givenStake(world.stakes, { plan, staker: Buffer.alloc(20, byte) })
  }
  const runThrough = async (days: number) => {
    clock.set(startOfBusinessDay(addDays(START, days)))
    await runDueDays(world.stakes)
  }
  await runThrough(DAYS)
  await givenMarket(world)
  return { db, clock, world, gate, holder, runThrough }
}

/** What Citus does automatically every minute (citus.recover_2pc_interval). */
const recover = (db: Db) => sql`select recover_prepared_transactions()`.execute(db)

/**
 * Retries, as loops and holders do: each session needs one more failure to notice that its connection to the worker was
 * cut.
 */
const eventually = (work: () => Promise<unknown>) =>
  expect.poll(() => work().then(() => 'done', String), { timeout: 20_000 }).toBe('done')

type Rewards = Awaited<ReturnType<typeof givenRewards>>

/** What was credited on each day according to the rewards, the runs, and the ledger. */
async function creditedIn({ db }: Rewards) {
  const { rows } = await sql<{
    day: string
    stakes: bigint
    rewards: bigint
    run: bigint
    booked: bigint
  }>`
    select r.day, r.stakes, r.rewards, d.credited as run, t.amount as booked
    from (select day, count(distinct earning_id) as stakes, sum(amount) as rewards from reward_row group by day) r
    full join distribution_day d on d.day = r.day
    left join ledger_transfer t on t.kind = 'reward_credited' and t.ref = 'PLAN-360/' || d.day
    order by 1`.execute(db)
  return rows
}

async function expectDaysOnce(rewards: Rewards, days: number): Promise<void> {
  const found = await creditedIn(rewards)
  expect(found).toHaveLength(days)
  for (const { stakes, rewards: written, run, booked } of found) {
    expect([stakes, run, booked]).toEqual([BigInt(STAKES), written, written])
  }
  await expectBooksToBalance(rewards.world)
}

test.each([
  { moment: 'assign_distributed_transaction_id', isCommitting: false },
  { moment: 'COPY', isCommitting: false },
  { moment: 'PREPARE TRANSACTION', isCommitting: true },
])(
  'a worker that is lost at $moment aborts the whole run, which is repeated once the worker is back',
  async ({ moment, isCommitting }) => {
    const rewards = await givenRewards()
    const { gate, runThrough } = rewards
    await expectDaysOnce(rewards, DAYS)
    gate.closeAt(moment)
    const run = () => runThrough(DAYS + 1)
    await expect(run()).rejects.toSatisfy((error) =>
      isCommitting ? error instanceof OutcomeUnknown : isOutage(error),
    )
    expect(gate.isOpen()).toBe(false)
    await expect(run()).rejects.toSatisfy(isOutage)
    gate.open()
    await eventually(run)
    await expectDaysOnce(rewards, DAYS + 1)
  },
)

test('a run that was committed while a worker was unavailable is complete once Citus has recovered it there', async () => {
  const rewards = await givenRewards()
  const { db, world, gate, holder, runThrough } = rewards
  gate.closeAt('COMMIT PREPARED')
  await runThrough(DAYS + 1)
  expect(gate.isOpen()).toBe(false)
  gate.open()
  await eventually(() => sql`select count(*) from reward_row`.execute(db))
  // The day is credited, but some of its rewards are still missing.
  const [{ days, rows }] = (
    await sql<{ days: bigint; rows: bigint }>`
      select (select count(*) from distribution_day) as days, (select count(*) from reward_row) as rows`.execute(
      db,
    )
  ).rows as [{ days: bigint; rows: bigint }]
  expect([days, rows < days * BigInt(STAKES)]).toEqual([BigInt(DAYS + 1), true])
  await eventually(() => runThrough(DAYS + 2))
  await recover(db)
  await expectDaysOnce(rewards, DAYS + 2)
  expect((await claim(world, holder, 'FULL')).status).toBe(200)
})

test('without a worker, requests that need its rewards fail as temporarily unavailable, others are answered, and an alarm names it', async () => {
  const { db, world, gate, holder } = await givenRewards()
  const admin = await givenAdmin(world)
  const listed = () => get(world, admin, '/admin/user-earnings')
  expect((await listed()).status).toBe(200)
  const clock = new ManualClock('2026-01-14T00:00:00Z')
  const loop = createHistoriesLoop({ db, realClock: clock })
  const alarmsAfter = async (seconds: number) => {
    clock.advanceMs(seconds * 1_000)
    await loop.step()
    return (await openAlarms(db)).map(({ subject }) => subject)
  }
  expect(await alarmsAfter(0)).toEqual([])
  gate.close()
  expect(await listed()).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
  expect((await get(world, holder, '/user/claim-history')).status).toBe(200)
  expect(await alarmsAfter(0)).toEqual([])
  expect(await alarmsAfter(61)).toEqual([new URL(gate.url).host])
  gate.open()
  await expect.poll(async () => (await listed()).status, { timeout: 20_000 }).toBe(200)
  expect(await alarmsAfter(61)).toEqual([])
  await expect.poll(async () => (await claim(world, holder, 'FULL')).status).toBe(200)
})
