import type { DbOrTx } from '../../platform/database/db.ts'
import { own } from './claims.tables.ts'

/** The amounts of claims that await their fee, in DCT base units by plan code. */
export async function awaitedFees(db: DbOrTx): Promise<ReadonlyMap<string, bigint>> {
  const rows = await own(db)
    .selectFrom('claim')
    .select((eb) => ['plan_code', eb.fn.sum<bigint>('later_amount').as('amount')])
    .where('state', '=', 'awaiting_fee')
    .groupBy('plan_code')
    .execute()
  return new Map(rows.map((row) => [row.plan_code, row.amount]))
}
