import type { GeneratedAlways } from 'kysely'

export type DailyCloseTable = {
  day: string
  closed_at: Date
  closed_by: bigint
  differences: number
  /** The file, whose hash is kept beside it. */
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

/** Real times: a link lives as sessions do. */
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

declare module '../../platform/db.ts' {
  interface DB {
    daily_close: DailyCloseTable
    case_note: CaseNoteTable
    case_link: CaseLinkTable
  }
}
