import type { Generated } from 'kysely'
import { tablesOf } from '../../platform/database/db.ts'
import type { Facts } from '../../platform/errors.ts'
import type { AuthViews } from '../auth/index.ts'

export type AdminLogTable = {
  id: Generated<bigint>
  admin_id: bigint
  action: string
  subject: string
  before: Facts | null
  after: Facts | null
  ip: string | null
  at: Date
}

/** Running counts, maintained by triggers and spread over shards: a figure is the sum of its rows. */
export type ServiceCountTable = { name: 'users' | 'claimed'; shard: number; amount: bigint }

/**
 * The balance of one of our contracts or wallets at its last successful reading. `failed_at` is set while readings
 * fail. Real times.
 */
export type FundsReadingTable = {
  name: string
  amount: bigint | null
  read_at: Date | null
  failed_at: Date | null
}

/** The figures recorded at the beginning of a business day. */
export type MoneyDayTable = {
  day: string
  figure: string
  plan_code: Generated<string>
  /** Base units; null where the figure was unknown. */
  amount: bigint | null
}

export type AdminTables = {
  admin_log: AdminLogTable
  service_count: ServiceCountTable
  funds_reading: FundsReadingTable
  money_day: MoneyDayTable
}

/** The tables of this module, and the views of others that it reads. */
export const own = tablesOf<AdminTables & AuthViews>()
