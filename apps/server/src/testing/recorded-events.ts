import { EVENT_COLUMNS } from '../modules/chain/chain.queries.ts'
import type { ChainName } from '../modules/chain/chain.tables.ts'
import type { ChainEvent } from '../modules/chain/index.ts'
import type { DbOrTx } from '../platform/database/db.ts'
import { everything } from './all-tables.ts'

/** The recorded events of one transaction in log order, including those that were later undone. */
export async function eventsOf(
  db: DbOrTx,
  key: { chain: ChainName; txHash: Buffer },
): Promise<ChainEvent[]> {
  return everything(db)
    .selectFrom('chain_event')
    .select(EVENT_COLUMNS)
    .where('chain', '=', key.chain)
    .where('tx_hash', '=', key.txHash)
    .orderBy('log_index')
    .execute()
}
