import { sql } from 'kysely'
import { type Db, type DbOrTx, inTransaction } from '../../platform/db.ts'
import { distributedTables } from '../../platform/distributed-tables.ts'
import { ArchiveError } from './archive/archive-error.ts'
import { hasArchivedCycles } from './lists/archived-cycles.ts'

/** Whether the histories, the rewards of every cycle, are spread over the workers of a Citus cluster. */
export async function areHistoriesSpread(db: DbOrTx): Promise<boolean> {
  return (await distributedTables(db)).includes('reward_row')
}

/**
 * Spreads the histories over the workers of a Citus cluster by their earnings, together with all rows that there are.
 * Months added later follow by themselves. Nobody can write or read histories meanwhile. Safe to repeat.
 * @returns false when they are spread already.
 * @throws ArchiveError when months are archived, which a cluster cannot read
 */
export async function spreadHistories(db: Db): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`lock table reward_row in access exclusive mode`.execute(tx)
    if (await areHistoriesSpread(tx)) return false
    if (await hasArchivedCycles(tx)) {
      throw new ArchiveError('Some months are archived: restore them first (npm run archive).')
    }
    await sql`select create_distributed_table('reward_row', 'earning_id')`.execute(tx)
    // The rows were copied; this removes the originals.
    await sql`select truncate_local_data_after_distributing_table('reward_row')`.execute(tx)
    return true
  })
}
