import { sql } from 'kysely'
import { type Db, type DbOrTx, kyselyOf, type Tx } from './db.ts'

/** Whether the database has the extension Citus, which can spread tables over other servers, its workers. */
export async function hasCitus(db: DbOrTx): Promise<boolean> {
  const { rows } = await sql<{ has_citus: boolean }>`
    select exists (select from pg_extension where extname = 'citus') as has_citus`.execute(db)
  return rows[0]?.has_citus === true
}

/** The tables that Citus spreads over its workers, without their partitions. */
export async function distributedTables(db: DbOrTx): Promise<string[]> {
  if (!(await hasCitus(db))) return []
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_dist_partition d join pg_class c on c.oid = d.logicalrelid
    where d.partmethod = 'h' and not c.relispartition order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** The addresses of the workers that the coordinator cannot reach right now. */
export async function silentWorkers(db: DbOrTx): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select nodename || ':' || nodeport as address from pg_dist_node
    where groupid <> 0 and isactive and not citus_check_connection_to_node(nodename, nodeport)
    order by 1`.execute(db)
  return rows.map(({ address }) => address)
}

/**
 * Lets a transaction in `repeatable read` see all nodes as they were at one moment; it must not have read anything yet.
 * PostgreSQL alone does that by itself. Citus does not: each worker takes a snapshot of its own when it is first asked,
 * so a day's rewards could be there whose bookings are not. Therefore nobody may write to distributed tables until all
 * workers have been asked. Waits for those who are writing.
 * @param db gives a second connection for that time
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
