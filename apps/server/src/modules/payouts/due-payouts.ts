import type { Db } from '../../platform/database/db.ts'
import { bookUnsigned } from './book-recorded.ts'
import { PAYOUT_COLUMNS, type Payout, readPayout } from './create-payout.ts'
import { isRetryDue } from './intents.queries.ts'
import { fittingPayments } from './payments.queries.ts'
import { type Chain, own } from './payouts.tables.ts'
import type { SenderDeps } from './sender-deps.ts'

/** Payouts that senders may try now, oldest first. Manual payouts are left out. */
export async function duePayouts(
  db: Db,
  query: { chain: Chain; now: Date; limit: number },
): Promise<Payout[]> {
  const rows = await own(db)
    .selectFrom('payout')
    .select(PAYOUT_COLUMNS)
    .where('chain', '=', query.chain)
    .where('state', '=', 'queued')
    .where('is_manual', '=', false)
    .where(isRetryDue(query.now))
    .orderBy('id')
    .limit(query.limit)
    .execute()
  return rows.map(readPayout)
}

/**
 * Books a payout whose payment the watcher has recorded under its key although this database did not sign it (a
 * restored backup). False when no such payment is recorded yet, or the payout has changed in the meantime.
 */
export async function finishRecorded(deps: SenderDeps, payout: Payout): Promise<boolean> {
  const fitting = await fittingPayments(deps.db, payout)
  const payment = fitting.find(({ payoutKey }) => payoutKey === payout.payoutKey)
  if (payment === undefined) return false
  return bookUnsigned(deps, { payout, payment })
}
