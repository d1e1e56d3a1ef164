import { startForwarder } from '@dct/local-services/testing/forwarder'
import { type Kysely, sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createWorkerAlarms } from '../../main/loops/worker-alarms.ts'
import { account, postTransfers, type Transfer } from '../../modules/ledger/index.ts'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { spreadTables } from '../../platform/database/cluster.ts'
import {
  inTransaction,
  isOutage,
  OutcomeUnknown,
  openDatabase,
} from '../../platform/database/db.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { inSnapshot } from '../../platform/database/snapshots.ts'
import { type AllTables, everything } from '../all-tables.ts'
import { createEmptyDatabase, createTestDatabase, someoneWaits } from '../database.ts'
import { createDatabase, type DatabaseServers, dropDatabase } from '../database-servers.ts'
import { ManualClock } from '../manual-clock.ts'

const AT = new Date('2026-01-01T00:00:00Z')
const EVERYTHING = ['0001-baseline']

function funding(ref: string): Transfer {
  const [debit, credit] = [account.chainPool('P'), account.free('P')]
  return { debit, credit, asset: 'DCT', amount: 5n, kind: 'plan.funded', ref, at: AT }
}

const fundings = (count: number) => Array.from({ length: count }, (_, at) => funding(`f${at}`))

const post = (db: Kysely<AllTables>, ...transfers: Transfer[]) =>
  inTransaction(db, (tx) => postTransfers(tx, transfers))

/** What the account holds, and what its transfers say. */
async function booked(db: Kysely<AllTables>) {
  const { rows } = await sql<{ credits: bigint; moved: bigint }>`
    select (select credits from ledger_account where code = 'free:P') as credits,
      (select coalesce(sum(amount), 0) from ledger_transfer) as moved`.execute(db)
  return rows[0]
}

test('rows that were there before go to the workers, once, and new ones follow', async () => {
  const empty = await createEmptyDatabase()
  const db = everything(openDatabase({ url: empty.url, maxConnections: 4 }))
  onTestFinished(async () => {
    await db.destroy()
    await empty.drop()
  })
  await migrate(db, { through: EVERYTHING })
  await post(db, ...fundings(20))
  await spreadTables(db)
  await spreadTables(db)
  expect(await post(db, ...fundings(20), funding('later'))).toBe(1)
  expect(await booked(db)).toEqual({ credits: 105n, moved: 105n })
  const { rows } = await sql<{ name: string; workers: bigint; here: bigint }>`
    select logicalrelid::text as name, pg_relation_size(logicalrelid) as here,
      (select count(distinct p.nodeport) from pg_dist_shard s join pg_dist_shard_placement p using (shardid)
        where s.logicalrelid = d.logicalrelid) as workers
    from pg_dist_partition d order by 1`.execute(db)
  const workers = BigInt(inject('databaseServers').length - 1)
  expect(rows).toEqual(
    ['chain_event', 'chain_payment', 'ledger_transfer'].map((name) => ({
      name,
      workers,
      here: 0n,
    })),
  )
})

test('reads that must agree see no booking that is being written, and all of it afterwards', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { db } = database
  await post(db, funding('before'))
  const writing = await db.startTransaction().execute()
  await postTransfers(writing, fundings(20))
  const seen = inSnapshot(db, async (tx) => {
    const all = everything(tx)
    const before = await booked(all)
    await post(db, funding('after'))
    return [before, await booked(all)]
  })
  await someoneWaits(db)
  await writing.commit().execute()
  const whole = { credits: 105n, moved: 105n }
  expect(await seen).toEqual([whole, whole])
  expect(await booked(db)).toEqual({ credits: 110n, moved: 110n })
})

test('without a worker bookings fail as an outage and an alarm names it; afterwards nothing is missing or twice', async () => {
  const servers = inject('databaseServers')
  const worker = new URL(`${servers.at(-1)}`)
  const [host, port] = [worker.hostname, Number(worker.port)]
  let isLost = false
  const gate = await startForwarder({ target: () => (isLost ? undefined : { host, port }) })
  worker.hostname = '127.0.0.1'
  worker.port = `${gate.port}`
  const gated = [...servers.slice(0, -1), worker.href] as unknown as DatabaseServers
  const name = `lost_worker_${process.pid}`
  const db = everything(openDatabase({ url: await createDatabase(gated, name), maxConnections: 4 }))
  onTestFinished(async () => {
    await db.destroy()
    gate.stop()
    await dropDatabase(servers, name)
  })
  await migrate(db)
  await post(db, ...fundings(20))

  isLost = true
  gate.cut()
  const lost = await post(db, ...fundings(40)).catch((error: unknown) => error)
  expect(lost).toSatisfy((error) => isOutage(error) || error instanceof OutcomeUnknown)
  const clock = new ManualClock(AT)
  const loop = createWorkerAlarms({ db, realClock: clock })
  for (const seconds of [0, 61]) {
    clock.advanceMs(seconds * 1_000)
    await loop.step()
  }
  expect((await openAlarms(db)).map(({ subject }) => subject)).toEqual([`127.0.0.1:${gate.port}`])

  isLost = false
  const again = () => post(db, ...fundings(40)).then(() => 'done', String)
  await expect.poll(again, { timeout: 20_000 }).toBe('done')
  expect(await booked(db)).toEqual({ credits: 200n, moved: 200n })
  clock.advanceMs(61_000)
  await loop.step()
  expect(await openAlarms(db)).toEqual([])
})
