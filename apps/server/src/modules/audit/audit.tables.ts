import type { Generated } from 'kysely'
import { tablesOf } from '../../platform/database/db.ts'
import type { CheckOutcome } from './audit-check.ts'

export type AuditRunTable = {
  id: Generated<bigint>
  is_full: boolean
  started_at: Date
  finished_at: Date
  /** The number of compared pairs of figures. */
  compared: bigint
  differences: number
  outcomes: CheckOutcome[]
}

/** At most one row: the requested audit that has not finished yet. */
export type AuditRequestTable = {
  single: Generated<boolean>
  is_full: boolean
  asked_by: bigint
  asked_at: Date
}

/** The balance of an address before its transfers were watched. */
export type WalletOpeningTable = {
  address: Buffer
  role: 'fee_receiver' | 'payout_wallet'
  amount: bigint
  /** The final block at which the balance was read. */
  read_at_block: bigint
  booked_at: Date
}

export type AuditTables = {
  audit_run: AuditRunTable
  wallet_opening: WalletOpeningTable
  audit_request: AuditRequestTable
}

export const own = tablesOf<AuditTables>()
