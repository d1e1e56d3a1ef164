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

export type AdminTables = {
  admin_log: AdminLogTable
  service_count: ServiceCountTable
}

/** The tables of this module, and the views of others that it reads. */
export const own = tablesOf<AdminTables & AuthViews>()
