import { tablesOf } from '../../platform/database/db.ts'
import type { AuthViews } from '../auth/index.ts'

export type MoneyStepTable = {
  /** 32 hexadecimal digits. */
  attempt: string
  /** The user whose step it is, or 0 for steps that all admins share. */
  scope: bigint
  step: string
  user_id: bigint
  asked_at: Date
  waits_until: Date | null
  tx_hash: string | null
  ended_at: Date | null
}

export type StepsTables = {
  money_step: MoneyStepTable
}

export const own = tablesOf<StepsTables & AuthViews>()
