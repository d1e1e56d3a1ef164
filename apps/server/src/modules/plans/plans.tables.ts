import type { ChainState } from '@dct/api-contract/plans'
import type { Generated } from 'kysely'

export type EarningPlanTable = {
  id: Generated<bigint>
  code: string
  name: string
  total_reward: bigint
  duration_days: number
  /** The total percentage in hundredths: 7200 is 72 %. */
  rate_bps: number
  daily_limit: bigint
  is_active: boolean
  /** The business day on which the carry-over was switched on; null while it is off. */
  accumulating_since: string | null
  created_at: Date
  /** The transaction that funded the plan; null for plans of the installation itself. */
  funded_tx: Buffer | null
  chain_state: ChainState
  /** Counts the calls that open or close the plan on chain, so that only the last one decides its state. */
  chain_revision: Generated<number>
}

export type PlanTotalTable = {
  plan_id: bigint
  promised: Generated<bigint>
  reserved: Generated<bigint>
}

export type PlanDayTable = {
  plan_id: bigint
  day: string
  limit_base: bigint
  carry: bigint
  promised: Generated<bigint>
  reserved: Generated<bigint>
}

export type ReservationState = 'live' | 'used' | 'replaced' | 'lapsed'
export type ReservationTable = {
  id: Generated<bigint>
  user_id: bigint
  plan_id: bigint
  amount: bigint
  reward: bigint
  day: string
  created_at: Date
  expires_at: Date
  state: ReservationState
}

/** What the reward contract has free for a plan code, as of the final events that were booked. */
export type PlanPoolTable = { plan_code: string; free: bigint }

export type PlanFundingTable = {
  tx_hash: Buffer
  log_index: number
  plan_code: string
  from_address: Buffer
  amount: bigint
  funded_at: Date
}

declare module '../../platform/db.ts' {
  interface DB {
    earning_plan: EarningPlanTable
    plan_total: PlanTotalTable
    plan_day: PlanDayTable
    reservation: ReservationTable
    plan_pool: PlanPoolTable
    plan_funding: PlanFundingTable
  }
}
