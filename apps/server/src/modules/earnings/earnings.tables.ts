import type { Generated } from 'kysely'

export type EarningTable = {
  id: Generated<bigint>
  stake_id: bigint
  staker: Buffer
  is_registered: boolean
  plan_id: bigint
  plan_code: string
  amount: bigint
  reward: bigint
  cycles: number
  freeze_limit: number
  started_at: Date
  ends_at: Date
  start_day: string
  claimed_through: Generated<number>
  own_excused: Generated<number>
  has_open_fee: Generated<boolean>
  /** What was still unclaimed when the time to claim was over. */
  expired_amount: bigint | null
  /** True when nothing of the rewards is left to claim or to lapse. */
  is_settled: Generated<boolean>
  tx_hash: Buffer
  log_index: number
  block_number: bigint
  booked_at: Date
  release_asked_at: Date | null
  released_at: Date | null
  release_tx: Buffer | null
}

export type SubmissionState = 'WAITING' | 'FAILED' | 'BOOKED'

export type JoinSubmissionTable = {
  tx_hash: Buffer
  user_id: bigint
  staker: Buffer
  plan_code: string
  amount: bigint
  /** What the plan's terms promise for the amount. */
  reward: bigint
  cycles: number
  submitted_at: Date
  state: SubmissionState
  /** The error code that says why it failed. */
  reason: string | null
  checks: Generated<number>
  /** The final block at which the chain was last asked. */
  checked_block: Generated<bigint>
}

export type StakeState = 'SUCCESS' | 'WAITING' | 'FAILED'

export type StakeRecordView = {
  earning_id: bigint | null
  tx_hash: Buffer
  staker: Buffer
  is_registered: boolean
  plan_code: string
  amount: bigint
  reward: bigint
  cycles: number
  started_at: Date
  ends_at: Date
  state: StakeState
  reason: string | null
}

/** How many stakes of a plan started on a day. */
export type StakeCountTable = { plan_id: bigint; day: string; stakes: bigint }

export type RewardRowTable = {
  earning_id: bigint
  day: string
  cycle: number
  amount: bigint
  /** What was lost, when the cycle lapsed. */
  lapsed_amount: bigint | null
}

export type DistributionCursorTable = {
  plan_id: bigint
  plan_code: string
  cycles: number
  through_day: string
}

export type DistributionDayTable = {
  plan_id: bigint
  day: string
  ran_at: Date
  row_count: bigint
  credited: bigint
  lapsed: bigint
}

export type ExcusedDayTable = {
  day: string
  reason: 'late_run' | 'claims_unavailable'
  noted_at: Date
}

export type EarningExcuseTable = {
  earning_id: bigint
  day: string
  reason: 'late_booking' | 'late_settlement'
}

export type ClaimAvailabilityTable = {
  id: Generated<bigint>
  from_at: Date
  to_at: Date
  seen_at: Date
}

declare module '../../platform/db.ts' {
  interface DB {
    earning: EarningTable
    join_submission: JoinSubmissionTable
    stake_record: StakeRecordView
    stake_count: StakeCountTable
    reward_row: RewardRowTable
    distribution_cursor: DistributionCursorTable
    distribution_day: DistributionDayTable
    excused_day: ExcusedDayTable
    earning_excuse: EarningExcuseTable
    claim_availability: ClaimAvailabilityTable
  }
}
