import type { DbOrTx } from '../../platform/db.ts'
import './admin.tables.ts'

export type ServiceCounts = {
  users: bigint
  /** DCT base units, without what was cancelled or never received. */
  claimed: bigint
}

/** How many users there are and how much was claimed, whatever the size of their tables. */
export async function serviceCounts(db: DbOrTx): Promise<ServiceCounts> {
  const rows = await db
    .selectFrom('service_count')
    .select((eb) => ['name', eb.fn.sum<bigint>('amount').as('amount')])
    .groupBy('name')
    .execute()
  const counts = new Map(rows.map(({ name, amount }) => [name, amount]))
  return { users: counts.get('users') ?? 0n, claimed: counts.get('claimed') ?? 0n }
}
