import type { DbOrTx } from '../../platform/db.ts'
import './claims.tables.ts'

/** What waits for its fee, in DCT base units by plan. */
export async function awaitedFees(db: DbOrTx): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db
    .selectFrom('claim')
    .select((eb) => ['plan_code', eb.fn.sum<bigint>('later_amount').as('amount')])
    .where('state', '=', 'awaiting_fee')
    .groupBy('plan_code')
    .execute()
  return new Map(rows.map((row) => [row.plan_code, row.amount]))
}
