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

declare module '../../platform/db.ts' {
  interface DB {
    admin_log: AdminLogTable
    service_count: ServiceCountTable
  }
}
