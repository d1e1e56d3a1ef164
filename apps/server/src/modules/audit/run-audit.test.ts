import { setTimeout as pause } from 'node:timers/promises'
import { createEvmClient } from '@dct/chain-clients'
import { devTokenAbi, tokenAbi } from '@dct/contract-abi'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Clock, DAY_MS, realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { createLogger } from '../../platform/logger.ts'
import { type ChainWorld, startChainWorld } from '../../testing/chain-world.ts'
import { createTestDatabase, spoil, type TestDatabase, wipe } from '../../testing/database.ts'
import { dct, givenPlan } from '../../testing/plans.ts'
import { runDueDays, stakeDeps } from '../../testing/stakes.ts'
import { addUser } from '../auth/register.ts'
import { createWatcher } from '../chain/index.ts'
import { requestClaim } from '../claims/request-claim.ts'
import { account, balanceOf } from '../ledger/index.ts'
import { type AuditDeps, exitCodeOf, latestAudit, printReport, runAudit } from './index.ts'

/** All tests share one chain; each books it into its own database and corrupts that database. */
let aheadMs = 0
const clock: Clock = { now: () => new Date(realClock.now().getTime() + aheadMs) }
let world: ChainWorld
let database: TestDatabase
const PLANS = ['AUDIT-A', 'AUDIT-B'] as const

beforeAll(async () => {
  world = await startChainWorld()
  database = await createTestDatabase()
  for (const code of PLANS) await world.openPlan({ code, durationDays: 360, rate: 7_200n })
  await world.join(world.account(1), { planCode: 'AUDIT-A', amount: dct('10') })
  await world.join(world.account(2), { planCode: 'AUDIT-A', amount: dct('33.333333') })
  await world.join(world.account(1), { planCode: 'AUDIT-B', amount: dct('50') })
})
afterAll(async () => {
  await database?.drop()
  await world?.stop()
})

const lower = (address: string) => address.toLowerCase() as `0x${string}`

function auditDeps(): AuditDeps {
  const { deployment, serviceKeys, bscUrl } = world.host
  return {
    db: database.db,
    clock,
    tron: world,
    bsc: {
      reader: createEvmClient({ url: bscUrl }),
      usdt: lower(deployment.bsc.usdt),
      receiver: lower(serviceKeys.feeReceiver.bscAddress),
      vault: lower(deployment.bsc.payoutVault),
    },
  }
}

const watchers = async () => {
  const { reader, usdt } = auditDeps().bsc
  const bsc = createWatcher({
    db: database.db,
    chain: 'BSC',
    reader,
    streams: [
      {
        name: 'usdt',
        contracts: [{ address: usdt, abi: tokenAbi }],
        handle: async () => undefined,
      },
    ],
    log: createLogger('silent'),
    startBlock: (await reader.finalHead()).number + 1n,
    maxRange: 100,
  })
  return [await world.watcherOf(database.db, clock, 1n), bsc]
}

let readChains: () => Promise<void>

afterEach(() => world.host.control.resumeMining())

/** Books 36 days, with an open HALF claim in each plan. */
beforeEach(async () => {
  const { db } = database
  await wipe(db)
  aheadMs = 0
  for (const code of PLANS) await givenPlan({ db, clock }, { code, poolFree: '0' })
  const holder = world.account(1)
  const facts = { address: holder.address, email: null, role: 'user', referrer: undefined } as const
  const user = await inTransaction(db, (tx) => addUser(tx, { ...facts, at: clock.now() }))
  const both = await watchers()
  // Without a concurrent watcher, no block arrives between this reading and the audit.
  readChains = async () => {
    await world.host.control.pauseMining()
    await world.host.control.finalize()
    for (const watcher of both) await watcher.catchUp()
  }
  await readChains()
  aheadMs = 36 * DAY_MS
  await runDueDays(stakeDeps({ db, clock }))
  await sql`insert into setting_change (kind, value, at) values ('price', 100000000, ${clock.now()})`.execute(
    db,
  )
  for (const planCode of PLANS) {
    await requestClaim(
      {
        db,
        clock,
        dctDecimals: 6,
        feeReceiver: Buffer.alloc(20, 7),
        priceMaxAgeMs: DAY_MS,
      },
      { user: { id: user.id, address: holder.address }, planCode, kind: 'HALF', maxFee: undefined },
    )
  }
})

const failing = async () => {
  await readChains()
  const report = await runAudit(auditDeps(), { full: true })
  return report.outcomes.filter(({ differences }) => differences.length > 0).map(({ name }) => name)
}

const payoutStates = async () => {
  const rows = await database.db
    .selectFrom('payout')
    .select(['plan_code', 'state'])
    .orderBy('plan_code')
    .execute()
  return Object.fromEntries(rows.map(({ plan_code: plan, state }) => [plan, state]))
}

test('consistent books pass every check, and every check either compares something or states why it could not', async () => {
  await readChains()
  const report = await runAudit(auditDeps(), { full: true })
  expect(report.outcomes.flatMap(({ differences }) => differences)).toEqual([])
  expect(report.outcomes.filter(({ skipped }) => skipped !== undefined)).toEqual([])
  const compared = Object.fromEntries(report.outcomes.map(({ name, compared }) => [name, compared]))
  expect(compared).toMatchObject({
    'entries sum to zero per asset': 1,
    'a plan’s funds are owed or free': 2,
    'the days of a plan are what the cycles of its stakes paid': 6,
    'a claim is the sum of its cycles': 2,
    'reward funds equal the contract’s counters': 6,
    'stakes equal the contract’s counters': 2,
  })
  expect(printReport(report)).toContain('Full audit: 0 differences in')
  expect(exitCodeOf(report)).toBe(0)
  expect(await latestAudit(database.db)).toMatchObject({ isPassed: true })
  expect(await payoutStates()).toEqual({ 'AUDIT-A': 'waiting', 'AUDIT-B': 'waiting' })
  const runs = await database.db
    .selectFrom('audit_run')
    .select(['is_full', 'differences'])
    .execute()
  expect(runs).toEqual([{ is_full: true, differences: 0 }])
})

test.each([
  [
    'a balance',
    'entries sum to zero per asset',
    sql`update ledger_account set credits = credits + 1 where code = 'free:AUDIT-A'`,
  ],
  [
    'a transfer',
    'accounts equal their transfers',
    sql`update ledger_transfer set amount = amount + 1 where kind = 'stake_promised' and ref = '1'`,
  ],
  [
    'a sharded account',
    'no account is overdrawn',
    sql`update ledger_account set debits = debits + 1000000000 where code = 'credited:AUDIT-A'`,
  ],
  [
    'a lost day',
    'the days of a plan are what the cycles of its stakes paid',
    sql`delete from distribution_day where day = (select min(day) from distribution_day)`,
  ],
  [
    'a lapse that never was',
    'the days of a plan are what the cycles of its stakes paid',
    sql`update earning set lapsed = '{[7,8)}' where id = 1`,
  ],
  [
    'a claim mark',
    'an earning’s credits are claimed or unclaimed',
    sql`update earning set claimed_through = claimed_through - 1 where claimed_through > 0 and plan_code = 'AUDIT-A'`,
  ],
  [
    'an unclaimed cycle',
    'a plan’s credited account equals its unclaimed rewards',
    sql`update earning set claimed_through = 1 where claimed_through = 0`,
  ],
  [
    'a claim',
    'a claim is the sum of its cycles',
    sql`update claim set first_cycle = first_cycle + 1 where plan_code = 'AUDIT-A'`,
  ],
  [
    'an open claim',
    'a claim’s account holds the amount that waits for its fee',
    sql`update claim set amount = amount + 2, now_amount = now_amount + 1, later_amount = later_amount + 1 where plan_code = 'AUDIT-A'`,
  ],
  [
    'a day’s record',
    'credits and lapses equal the days’ records',
    sql`update distribution_day set credited = credited + 1 where day = (select min(day) from distribution_day)`,
  ],
  [
    'a stake',
    'promises equal stakes',
    sql`update earning set reward = reward + 1 where plan_code = 'AUDIT-A'`,
  ],
  [
    'capital',
    'capital equals the locked stakes',
    sql`update earning set amount = amount + 1 where plan_code = 'AUDIT-A'`,
  ],
  [
    'a payout',
    'a payout’s account holds the amount not paid yet',
    sql`update payout set amount = amount + 1 where plan_code = 'AUDIT-A'`,
  ],
  [
    'a funding event',
    'reward funds equal the contract’s events',
    sql`delete from chain_event where name = 'PlanFunded' and args->>'planCode' = 'AUDIT-A'`,
  ],
  [
    'a stake’s event',
    'capital equals the contract’s events',
    sql`delete from chain_event where name = 'Staked'`,
  ],
  [
    'a receipt',
    'every USDT receipt is booked',
    sql`insert into usdt_receipt (tx_hash, log_index, from_address, to_address, amount, block_number, block_time, state)
    values (${Buffer.alloc(32)}, 0, ${Buffer.alloc(20)}, ${Buffer.alloc(20)}, 5, 1, now(), 'unmatched')`,
  ],
])('an error is found, %s: %s', async (_what, check, statement) => {
  await spoil(database.db, statement)
  expect(await failing()).toContain(check)
  const alarms = await database.db
    .selectFrom('alarm')
    .select(['kind', 'subject'])
    .where('cleared_at', 'is', null)
    .execute()
  expect(alarms).toContainEqual({ kind: 'audit', subject: check })
})

test('an error in both ledger and events is found by reading the contract', async () => {
  const twice = sql`update ledger_account set debits = debits + 5, credits = credits + 5 where code in ('chain_pool:AUDIT-A', 'free:AUDIT-A')`
  await spoil(database.db, twice)
  expect(await failing()).toContain('reward funds equal the contract’s counters')
})

const halts = () =>
  database.db.selectFrom('payout_halt').select(['kind', 'scope']).distinct().execute()

test('a difference in one plan holds the payouts of that plan only, and clears once resolved', async () => {
  const wrong = (by: string) =>
    sql`update distribution_day set credited = credited + ${by}::numeric
      where plan_id = (select id from earning_plan where code = 'AUDIT-A') and day = (select min(day) from distribution_day)`
  await spoil(database.db, wrong('1'))
  expect(await failing()).toEqual([
    'credits and lapses equal the days’ records',
    'the days of a plan are what the cycles of its stakes paid',
  ])
  expect(await halts()).toEqual([{ kind: 'plan', scope: 'AUDIT-A' }])

  await spoil(database.db, wrong('-1'))
  expect(await failing()).toEqual([])
  expect(await halts()).toEqual([])
  expect(
    await database.db.selectFrom('alarm').select('id').where('cleared_at', 'is', null).execute(),
  ).toEqual([])
})

test('DCT sent directly to a contract is booked once as surplus, without an alarm', async () => {
  const gift = (to: `0x${string}`) =>
    world.send(world.host.serviceKeys.owner, {
      contract: world.host.deployment.tron.token,
      abi: devTokenAbi,
      functionName: 'mint',
      args: [to, dct('1.5')],
    })
  await world.host.control.resumeMining()
  await gift(world.staking)
  await gift(world.rewardPool)
  expect(await failing()).toEqual([])
  expect(await failing()).toEqual([])
  for (const place of ['staking', 'reward_pool'] as const) {
    const surplus = account.surplus(place)
    expect(await balanceOf(database.db, { asset: 'DCT', account: surplus })).toBe(dct('1.5'))
  }
})

test('the audit includes lapsed cycles', async () => {
  for (let day = 37; day <= 76; day += 1) {
    aheadMs = day * DAY_MS
    await runDueDays(stakeDeps({ db: database.db, clock }))
  }
  const lapsed = account.lapsed('AUDIT-A')
  expect(await balanceOf(database.db, { asset: 'DCT', account: lapsed })).toBeGreaterThan(0n)
  expect(await failing()).toEqual([])
})

test('only the nightly audit checks individual rows', async () => {
  await spoil(database.db, sql`update earning set lapsed = '{[7,8)}' where id = 1`)
  await readChains()
  const report = await runAudit(auditDeps(), { full: false })
  expect(report.differences).toBe(0)
  expect(report.outcomes.map(({ name }) => name)).not.toContain(
    'the days of a plan are what the cycles of its stakes paid',
  )
})

test('without a node the ledger is still audited, and the report says so', async () => {
  const nowhere = createEvmClient({ url: 'http://127.0.0.1:9' })
  const deps = auditDeps()
  const report = await runAudit(
    { ...deps, tron: { ...deps.tron, reader: nowhere } },
    { full: true },
  )
  expect(report.differences).toBe(0)
  expect(report.outcomes.at(-1)).toMatchObject({ name: 'contracts', compared: 0 })
  expect(report.outcomes.at(-1)?.skipped).toContain('no node answered')
  expect(printReport(report)).toContain('0 differences, 1 not compared')
  expect(exitCodeOf(report)).toBe(3)
})

test('an audit waits for both watchers, however far apart they poll, while both chains go on', async () => {
  await world.host.control.resumeMining()
  let isOver = false
  const polling = (await watchers()).map(async (watcher, place) => {
    for (await pause(place * 4_000); !isOver; await pause(8_000)) await watcher.catchUp()
  })
  const report = await runAudit(auditDeps(), { full: true })
  isOver = true
  expect(report.outcomes.filter(({ skipped }) => skipped !== undefined)).toEqual([])
  await Promise.all(polling)
})

test('while a chain is halted its contracts are skipped, and the audit has not passed', async () => {
  await readChains()
  await database.db
    .insertInto('chain_halt')
    .values({
      chain: 'TRON',
      block_number: 5n,
      expected_hash: Buffer.alloc(32, 1),
      found_hash: Buffer.alloc(32, 2),
      halted_at: clock.now(),
      ended_at: null,
      changes: null,
    })
    .execute()
  const report = await runAudit(auditDeps(), { full: true })
  expect(report.outcomes.map(({ skipped }) => skipped)).toContain('TRON is halted')
  expect([report.differences, exitCodeOf(report)]).toEqual([0, 3])
  expect(await latestAudit(database.db)).toMatchObject({ isPassed: false })
})
