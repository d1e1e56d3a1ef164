import type { Db } from '../../platform/database/db.ts'
import { PAYOUT_COLUMNS, type Payout, readPayout } from './create-payout.ts'
import { HELD, isRetryDue } from './intents.queries.ts'
import { type Chain, own } from './payouts.tables.ts'

/** Payouts that senders may try now, oldest first. */
export async function duePayouts(
  db: Db,
  query: { chain: Chain; now: Date; limit: number },
): Promise<Payout[]> {
  const rows = await own(db)
    .selectFrom('payout')
    .select(PAYOUT_COLUMNS)
    .where('chain', '=', query.chain)
    .where('state', '=', 'waiting')
    .where('wait_reason', 'is distinct from', HELD)
    .where(isRetryDue(query.now))
    .orderBy('id')
    .limit(query.limit)
    .execute()
  return rows.map(readPayout)
}
