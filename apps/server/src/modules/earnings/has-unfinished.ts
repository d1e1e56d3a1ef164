import type { DbOrTx } from '../../platform/database/db.ts'
import { own } from './earnings.tables.ts'

/** Whether an address has tokens in a plan, or rewards that it can still claim or lose. */
export async function hasUnfinished(db: DbOrTx, address: Buffer): Promise<boolean> {
  const found = await own(db)
    .selectFrom('earning')
    .select('id')
    .where('staker', '=', address)
    .where((eb) => eb.or([eb('released_at', 'is', null), eb('is_settled', '=', false)]))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
