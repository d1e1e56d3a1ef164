import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Db, type DbOrTx, kyselyOf } from './db.ts'

const SPREAD = new URL('../../../migrations/cluster/', import.meta.url)

/** Whether the database is the coordinator of a Citus cluster. */
export async function hasWorkers(db: DbOrTx): Promise<boolean> {
  const { rows } = await sql<{ has_citus: boolean }>`
    select exists (select from pg_extension where extname = 'citus') as has_citus`.execute(db)
  return rows[0]?.has_citus === true
}

/** Puts what is only added to on the workers of a cluster, if it is one; see `migrations/cluster/`. Safe to repeat. */
export async function spreadTables(db: Db): Promise<void> {
  if (!(await hasWorkers(db))) return
  const files = (await readdir(SPREAD)).sort()
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, SPREAD), 'utf8')))
  await kyselyOf(db)
    .transaction()
    .execute((tx) => sql.raw(texts.join('\n')).execute(tx))
}

/** The addresses of the workers that the coordinator cannot reach right now; undefined without a cluster. */
export async function unreachableWorkers(db: Db): Promise<string[] | undefined> {
  if (!(await hasWorkers(db))) return undefined
  const { rows } = await sql<{ address: string }>`
    select nodename || ':' || nodeport as address from pg_dist_node
    where groupid <> 0 and isactive and not citus_check_connection_to_node(nodename, nodeport)
    order by 1`.execute(db)
  return rows.map(({ address }) => address)
}
