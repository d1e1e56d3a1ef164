import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { ManualClock } from '../../testing/manual-clock.ts'
import { type Pair, startPair } from '../../testing/standby.ts'
import type { Db, DbOrTx, ReadDb, Tx } from '../database/db.ts'
import { migrate } from '../database/migrate.ts'
import { createLogger } from '../logger.ts'
import { createReportLoop } from '../loops/loop-reports.ts'
import { MAX_AGE_MS, NoStandby, newestReport, Replica } from './replica.ts'

const folder = mkdtempSync(join(tmpdir(), 'dct-replica-'))
const realClock = new ManualClock('2026-01-31T10:00:00Z')
let pair: Pair
let replica: Replica

beforeAll(async () => {
  pair = await startPair(folder)
  await migrate(pair.primary.db)
  replica = replicaAt(pair.standby.url)
})
afterAll(async () => {
  await replica?.close()
  await pair?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const replicaAt = (url: string) =>
  new Replica({
    ...{ url, realClock, log: createLogger('silent') },
    ...{ maxConnections: 2, statementTimeoutMs: 60_000 },
  })
/** What every process does every few seconds. */
async function report() {
  const status = () => [{ name: 'a loop', isIdle: true, failures: 0, lastError: null } as never]
  await createReportLoop({ db: pair.primary.db, realClock, status, host: 'h' }).step()
}

test('a server that never got a report of this service is not read', async () => {
  await pair.standby.caughtUp()
  await expect(newestReport(pair.standby.db)).rejects.toThrow('no process of this service reports')
  await replica.probe()
  expect(replica.reports()).toBeUndefined()
})

test('a replica is read while its data is at most a minute old, and again once it has caught up', async () => {
  await report()
  await pair.standby.caughtUp()
  await replica.probe()
  expect(replica.reports()?.ageMs).toBe(0)
  const isCopy = sql<{ yes: boolean }>`select pg_is_in_recovery() as yes`
  const reports = replica.reports()
  expect(reports && (await isCopy.execute(reports.db)).rows).toEqual([{ yes: true }])

  await pair.standby.pause()
  realClock.advanceMs(MAX_AGE_MS)
  await report()
  await replica.probe()
  expect(replica.reports()?.ageMs).toBe(MAX_AGE_MS)
  realClock.advanceMs(1)
  expect([replica.reports(), replica.ageMs()]).toEqual([undefined, MAX_AGE_MS + 1])

  await pair.standby.resume()
  await pair.standby.caughtUp()
  await replica.probe()
  expect(replica.reports()?.ageMs).toBe(1)
})

test('a report from a clock that was ahead says nothing about the age', async () => {
  realClock.advanceMs(3_600_000)
  await report()
  realClock.advanceMs(-3_600_000)
  await pair.standby.caughtUp()
  await replica.probe()
  expect(replica.reports()).toBeUndefined()
  await report()
  await pair.standby.caughtUp()
  await replica.probe()
  expect(replica.reports()?.ageMs).toBe(0)
})

test('a primary is not read as a replica', async () => {
  await expect(newestReport(pair.primary.db)).rejects.toThrow(NoStandby)
})

test('code that decides about money accepts no replica, and reads that may be old accept every handle', () => {
  expectTypeOf<ReadDb>().not.toExtend<DbOrTx>()
  expectTypeOf<ReadDb>().not.toExtend<Db>()
  expectTypeOf<ReadDb>().not.toExtend<Tx>()
  expectTypeOf<Db | Tx | DbOrTx>().toExtend<ReadDb>()
})

test('a replica that is killed is not read from the next comparison on', async () => {
  process.kill(pair.standby.pid, 'SIGKILL')
  await pair.standby.exited
  await replica.probe()
  expect(replica.reports()).toBeUndefined()
})
