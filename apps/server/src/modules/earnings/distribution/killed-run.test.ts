import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '../../../platform/database/db.ts'
import { everything } from '../../../testing/all-tables.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { ManualClock } from '../../../testing/manual-clock.ts'
import { dct } from '../../../testing/plans.ts'
import { givenFundedPlan, givenStake, stakeDeps } from '../../../testing/stakes.ts'

const SCRIPT = fileURLToPath(new URL('../../../testing/run-days.ts', import.meta.url))
const LAST_DAY = '2026-02-24'
const KILLS = 6

async function givenEarnings(): Promise<TestDatabase> {
  const database = await createTestDatabase(4)
  const clock = new ManualClock('2026-01-10T03:00:00Z')
  const deps = stakeDeps({ db: database.db, clock })
  const plan = await givenFundedPlan(deps, { totalReward: '100000', dailyLimit: '100000' })
  for (let at = 0; at < 60; at += 1) {
    const amount = dct(`${10 + (at % 40)}.${100_000 + at}`)
    await givenStake(deps, {
      plan,
      staker: Buffer.alloc(20, at + 1),
      amount,
      stakeId: BigInt(at + 1),
    })
  }
  return database
}

function startRun(url: string) {
  const child = spawn(process.execPath, [SCRIPT, url, LAST_DAY], { stdio: 'ignore' })
  return { child, exited: once(child, 'exit') }
}

const daysRun = async (db: Db) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from distribution_day`.execute(db)
  return rows[0]?.count ?? 0
}

/** Everything that a run writes, without timestamps. */
async function stateOf(db: Db) {
  const rows = await everything(db)
    .selectFrom('reward_cycle_view')
    .selectAll()
    .orderBy('earning_id')
    .orderBy('day')
    .execute()
  const { rows: transfers } = await sql`
    select t.kind, t.ref, t.amount, d.code as debit, d.shard as debit_shard, c.code as credit,
      c.shard as credit_shard from ledger_transfer t
      join ledger_account d on d.id = t.debit_id join ledger_account c on c.id = t.credit_id
    where t.kind in ('reward_credited', 'reward_lapsed')
    order by t.kind, t.ref`.execute(db)
  const { rows: accounts } = await sql`
    select code, shard, debits, credits from ledger_account
    where code not like 'chain_pool:%' and code not like 'free:%' order by code, shard`.execute(db)
  const { rows: days } = await sql`
    select day, row_count, credited, lapsed from distribution_day order by day`.execute(db)
  return { rows, transfers, accounts, days }
}

test('[T035] a run that is killed repeatedly ends with exactly the rows of an uninterrupted one', async () => {
  const [unbroken, killed] = await Promise.all([givenEarnings(), givenEarnings()])
  try {
    await startRun(unbroken.url).exited
    let kills = 0
    for (let at = 0; at < KILLS; at += 1) {
      const before = await daysRun(killed.db)
      const run = startRun(killed.url)
      const deadline = performance.now() + 20_000
      // Kills the process at some point after the first day that it writes.
      while ((await daysRun(killed.db)) === before && performance.now() < deadline) await pause(1)
      for (let work = 0; work < at * 3; work += 1) await daysRun(killed.db)
      if (run.child.kill('SIGKILL')) kills += 1
      await run.exited
    }
    expect(kills).toBeGreaterThan(KILLS / 2)
    await startRun(killed.url).exited
    const [whole, mended] = await Promise.all([stateOf(unbroken.db), stateOf(killed.db)])
    expect(whole.rows).toHaveLength(60 * 45)
    expect(whole.days.length).toBe(45)
    expect(mended).toEqual(whole)
  } finally {
    await unbroken.drop()
    await killed.drop()
  }
}, 120_000)
