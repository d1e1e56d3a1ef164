import type { ReadDb } from '../../platform/database/db.ts'
import { own } from './admin.tables.ts'

export type ServiceCounts = {
  users: bigint
  /** DCT base units, without claims that were cancelled or never received. */
  claimed: bigint
}

/** The number of users and the claimed amount, read in constant time. */
export async function serviceCounts(db: ReadDb): Promise<ServiceCounts> {
  const rows = await own(db)
    .selectFrom('service_count')
    .select((eb) => ['name', eb.fn.sum<bigint>('amount').as('amount')])
    .groupBy('name')
    .execute()
  const counts = new Map(rows.map(({ name, amount }) => [name, amount]))
  return { users: counts.get('users') ?? 0n, claimed: counts.get('claimed') ?? 0n }
}
