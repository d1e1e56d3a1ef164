import type { Generated, Selectable } from 'kysely'
import { tablesOf } from '../../platform/database/db.ts'
import type { MessagesViews } from '../messages/index.ts'

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
  own_exempt_days: Generated<number>
  has_open_fee: Generated<boolean>
  /** The cycles that lapsed, as PostgreSQL prints an `int4multirange`: `{[34,41),[60,)}`. */
  lapsed: Generated<string>
  /** The unclaimed amount that expired when the time to claim ended. */
  expired_amount: bigint | null
  expired_at: Date | null
  /** True once no reward is left to claim or to lapse. */
  is_settled: Generated<boolean>
  tx_hash: Buffer
  log_index: number
  block_number: bigint
  booked_at: Date
  release_asked_at: Date | null
  released_at: Date | null
  release_tx: Buffer | null
}

export type AnnouncedJoinState = 'WAITING' | 'FAILED' | 'BOOKED'

export type AnnouncedJoinTable = {
  tx_hash: Buffer
  user_id: bigint
  staker: Buffer
  plan_code: string
  amount: bigint
  /** The reward that the plan's terms promise for the amount. */
  reward: bigint
  cycles: number
  announced_at: Date
  state: AnnouncedJoinState
  /** The error code of the failure. */
  reason: string | null
  checks: Generated<number>
  /** The latest final block at the last check. */
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

/** The number of stakes of a plan that began on a day. */
export type DailyStakeCountTable = { plan_id: bigint; day: string; stakes: bigint }

/** A cycle that was run, computed from its stake. */
export type RewardCycleView = {
  earning_id: bigint
  day: string
  cycle: number
  amount: bigint
  /** The reward lost when the cycle lapsed; null for a credited cycle. */
  lapsed_amount: bigint | null
}

/** What a stake was paid so far, what was lost, and what a claim made now would take. */
export type EarningRewardView = {
  id: bigint
  plan_id: bigint
  plan_code: string
  /** The last cycle that was run. */
  cycle: number
  credited: bigint
  lapsed: bigint
  unclaimed: bigint
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
  lapsed_count: Generated<bigint>
  credited: bigint
  lapsed: bigint
}

export type ExemptDayTable = {
  day: string
  reason: 'late_run' | 'claims_unavailable'
  recorded_at: Date
}

export type EarningExemptionTable = {
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

/** The views of earnings that other modules may read. */
export type EarningsViews = {
  earning_view: Pick<Selectable<EarningTable>, 'id' | 'tx_hash' | 'amount'>
}

export type EarningsTables = {
  earning: EarningTable
  announced_join: AnnouncedJoinTable
  stake_record: StakeRecordView
  daily_stake_count: DailyStakeCountTable
  reward_cycle_view: RewardCycleView
  earning_reward_view: EarningRewardView
  distribution_cursor: DistributionCursorTable
  distribution_day: DistributionDayTable
  exempt_day: ExemptDayTable
  earning_exemption: EarningExemptionTable
  claim_availability: ClaimAvailabilityTable
  earning_message: { earning_id: bigint; about: string; written_at: Date }
}

export const own = tablesOf<EarningsTables & MessagesViews>()
