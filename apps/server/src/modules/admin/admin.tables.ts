import type { Generated } from 'kysely'
import type { Facts } from '../../platform/errors.ts'

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

/** Running counts, kept by triggers and spread over rows: a figure is the sum of its rows. */
export type ServiceCountTable = { name: 'users' | 'claimed'; shard: number; amount: bigint }

/** What a contract or wallet of ours held when a node last answered; `failed_at` is set while none does. Real times. */
export type MeansReadingTable = {
  name: string
  amount: bigint | null
  read_at: Date | null
  failed_at: Date | null
}

/** What was found when a business day began. */
export type MoneyDayTable = {
  day: string
  figure: string
  plan_code: Generated<string>
  /** Base units; null where nobody could tell. */
  amount: bigint | null
}

declare module '../../platform/db.ts' {
  interface DB {
    admin_log: AdminLogTable
    service_count: ServiceCountTable
    means_reading: MeansReadingTable
    money_day: MoneyDayTable
  }
}
