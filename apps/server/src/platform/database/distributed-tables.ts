import { sql } from 'kysely'
import { type Db, type DbOrTx, kyselyOf, type Tx } from './db.ts'

/** Whether the database has the Citus extension, which distributes tables over other servers, its workers. */
export async function hasCitus(db: DbOrTx): Promise<boolean> {
  const { rows } = await sql<{ has_citus: boolean }>`
    select exists (select from pg_extension where extname = 'citus') as has_citus`.execute(db)
  return rows[0]?.has_citus === true
}

/** The tables that Citus distributes over its workers, without their partitions. */
export async function distributedTables(db: DbOrTx): Promise<string[]> {
  if (!(await hasCitus(db))) return []
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_dist_partition d join pg_class c on c.oid = d.logicalrelid
    where d.partmethod = 'h' and not c.relispartition order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** The addresses of the workers that the coordinator cannot reach right now. */
export async function unreachableWorkers(db: DbOrTx): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select nodename || ':' || nodeport as address from pg_dist_node
    where groupid <> 0 and isactive and not citus_check_connection_to_node(nodename, nodeport)
    order by 1`.execute(db)
  return rows.map(({ address }) => address)
}

/**
 * Makes a `repeatable read` transaction see all nodes as of the same moment; it must not have read anything yet. A
 * single PostgreSQL server guarantees that. Citus does not: each worker takes its own snapshot when it is first
 * queried, so a day's rewards could be visible without their bookings. Therefore this locks the distributed tables
 * against writes until all workers have been queried, and waits for running writes to finish first.
 * @param db provides a second connection, which holds the locks
 */
export async function alignSnapshots(db: Db, tx: Tx): Promise<void> {
  const tables = (await distributedTables(db)).map((name) => sql.table(name))
  if (tables.length === 0) return
  await kyselyOf(db)
    .transaction()
    .execute(async (lock) => {
      await sql`set local statement_timeout = 0`.execute(lock)
      await sql`lock table ${sql.join(tables)} in share mode`.execute(lock)
      // One connection to each worker, which the transaction keeps: each connection has its own snapshot.
      await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(tx)
      for (const table of tables) await sql`select 1 from ${table} limit 1`.execute(tx)
    })
}
