import { sql } from 'kysely'
import { type Db, type DbOrTx, inTransaction } from '../../platform/database/db.ts'
import { distributedTables } from '../../platform/database/distributed-tables.ts'
import { ArchiveError } from './archive/archive-error.ts'
import { hasArchivedCycles } from './lists/archived-cycles.ts'

/** Whether the histories (the rewards of every cycle) are distributed over the workers of a Citus cluster. */
export async function areHistoriesSpread(db: DbOrTx): Promise<boolean> {
  return (await distributedTables(db)).includes('reward_row')
}

/**
 * Distributes the histories over the workers of a Citus cluster by earning, including all existing rows. Months added
 * later are distributed automatically. Histories can be neither written nor read meanwhile. Safe to repeat.
 * @returns false if they are already distributed
 * @throws ArchiveError if months are archived, which a cluster cannot read
 */
export async function spreadHistories(db: Db): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`lock table reward_row in access exclusive mode`.execute(tx)
    if (await areHistoriesSpread(tx)) return false
    if (await hasArchivedCycles(tx)) {
      throw new ArchiveError('Some months are archived. Restore them first (npm run archive).')
    }
    await sql`select create_distributed_table('reward_row', 'earning_id')`.execute(tx)
    // The rows were copied; this removes the originals.
    await sql`select truncate_local_data_after_distributing_table('reward_row')`.execute(tx)
    return true
  })
}
