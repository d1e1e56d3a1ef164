import type { GeneratedAlways } from 'kysely'
import { tablesOf } from '../../platform/database/db.ts'
import type { AuthViews } from '../auth/index.ts'
import type { ProposalsViews } from '../proposals/index.ts'
import type { ReferralsViews } from '../referrals/index.ts'

export type DailyCloseTable = {
  day: string
  closed_at: Date
  closed_by: bigint
  differences: number
  /** The content of the file; its hash is stored in the same row. */
  content: string
  sha256: Buffer
}

export type CaseNoteTable = {
  id: GeneratedAlways<bigint>
  claim_id: bigint
  admin_id: bigint
  text: string
  at: Date
}

/** In real time, as for sessions. */
export type CaseLinkTable = {
  id: GeneratedAlways<bigint>
  claim_id: bigint
  token_hash: Buffer
  created_by: bigint
  created_at: Date
  expires_at: Date
  revoked_by: bigint | null
  revoked_at: Date | null
}

/** In real time. */
export type MaintenanceNoteTable = {
  id: GeneratedAlways<bigint>
  text_id: string
  text_en: string
  starts_at: Date
  ends_at: Date
  created_by: bigint
  created_at: Date
}

/** In business time. The root is kept for ever, leaves and nodes for some days. */
export type OwedDayTable = { day: string; at: Date; root: Buffer; sum: bigint; holders: number }
export type OwedLeafTable = {
  day: string
  user_id: bigint
  position: number
  salt: Buffer
  owed: bigint
}
export type OwedNodeTable = {
  day: string
  level: number
  position: number
  hash: Buffer
  sum: bigint
}

export type ReportsTables = {
  owed_day: OwedDayTable
  owed_leaf: OwedLeafTable
  owed_node: OwedNodeTable
  maintenance_note: MaintenanceNoteTable
  daily_close: DailyCloseTable
  case_note: CaseNoteTable
  case_link: CaseLinkTable
}

/** The tables of this module, and the views of other modules that it reads. */
export const own = tablesOf<ReportsTables & AuthViews & ProposalsViews & ReferralsViews>()
