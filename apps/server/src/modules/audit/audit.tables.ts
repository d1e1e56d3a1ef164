import type { Generated } from 'kysely'
import type { CheckOutcome } from './audit-check.ts'

export type AuditRunTable = {
  id: Generated<bigint>
  is_full: boolean
  started_at: Date
  finished_at: Date
  /** How many figures were held against another. */
  compared: bigint
  differences: number
  outcomes: CheckOutcome[]
}

/** At most one: what an admin asked for and no audit has begun with. */
export type AuditRequestTable = {
  single: Generated<boolean>
  is_full: boolean
  asked_by: bigint
  asked_at: Date
}

declare module '../../platform/db.ts' {
  interface DB {
    audit_run: AuditRunTable
    audit_request: AuditRequestTable
  }
}
