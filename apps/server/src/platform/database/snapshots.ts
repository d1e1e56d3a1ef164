import { sql } from 'kysely'
import { hasWorkers } from './cluster.ts'
import { type Db, kyselyOf, type Tx } from './db.ts'

/** Runs reads that must agree with each other: all of them see the database as it was at one moment. */
export async function inSnapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return kyselyOf(db)
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await alignSnapshots(db, tx)
      return work(tx)
    })
}

/**
 * Makes a `repeatable read` transaction that has read nothing yet see all workers of a cluster as of one moment. Each
 * takes its snapshot when it is first asked, so writers of tables that are spread wait until all of them were.
 */
async function alignSnapshots(db: Db, tx: Tx): Promise<void> {
  if (!(await hasWorkers(db))) return
  const { rows } = await sql<{ name: string }>`
    select logicalrelid::text as name from pg_dist_partition where partmethod = 'h' order by 1`.execute(
    db,
  )
  const tables = rows.map(({ name }) => sql.table(name))
  if (tables.length === 0) return
  await kyselyOf(db)
    .transaction()
    .execute(async (lock) => {
      await sql`set local statement_timeout = 0`.execute(lock)
      await sql`lock table ${sql.join(tables)} in share mode`.execute(lock)
      // One connection to each worker, which the transaction keeps: each connection has a snapshot of its own.
      await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(tx)
      for (const table of tables) await sql`select from ${table} limit 1`.execute(tx)
    })
}
