import type { PlanChainState } from '@dct/api-contract/plans'
import type { Generated } from 'kysely'
import { tablesOf } from '../../platform/database/db.ts'

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
  /** The transaction that funded the plan; null for the installation's own plans and adopted ones. */
  funded_tx: Buffer | null
  chain_state: PlanChainState
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

/**
 * `used`: a stake used it. `replaced`: its holder reserved elsewhere. `lapsed`: it expired. `unbacked`: its address no
 * longer held the amount.
 */
export type ReservationState = 'live' | 'used' | 'replaced' | 'lapsed' | 'unbacked'
export type ReservationTable = {
  id: Generated<bigint>
  user_id: bigint
  /** The user's Tron address, which must hold the amount. */
  address: Buffer
  plan_id: bigint
  amount: bigint
  reward: bigint
  day: string
  created_at: Date
  expires_at: Date
  /** The balance of the address at the final block `held_block`, in DCT base units. */
  held: bigint
  held_block: bigint
  /** The Tron block at which the reservation was made: all live reservations were backed at it. */
  seen_block: bigint
  state: ReservationState
}

/** The free funds of a plan code in the reward contract, as of the booked final events. */
export type PlanPoolTable = { plan_code: string; free: bigint }

export type PlanFundingTable = {
  tx_hash: Buffer
  log_index: number
  plan_code: string
  from_address: Buffer
  amount: bigint
  funded_at: Date
}

export type PlansTables = {
  earning_plan: EarningPlanTable
  plan_total: PlanTotalTable
  plan_day: PlanDayTable
  reservation: ReservationTable
  plan_pool: PlanPoolTable
  plan_funding: PlanFundingTable
}

export const own = tablesOf<PlansTables>()
