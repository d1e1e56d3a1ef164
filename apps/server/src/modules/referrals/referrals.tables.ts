import type { ReferralKind } from '@dct/rules/referral-shares'
import type { Generated, GeneratedAlways } from 'kysely'

/** The place of a user in the tree. Kept by triggers on `app_user`. */
export type ReferralNodeTable = {
  user_id: bigint
  referrer_id: bigint | null
  depth: number
  jump_id: bigint
  jump_depth: number
  zone_id: bigint | null
  rate_bps: number
  is_removed: Generated<boolean>
}

/** Somebody joined or left below `referrer_id`; waits to be folded into the totals above. */
export type DownlineChangeTable = {
  id: GeneratedAlways<bigint>
  referrer_id: bigint
  members: 1 | -1
  /** Real time. */
  noted_at: Generated<Date>
}

/** A stake on chain, whoever made it. Waits to be folded until its staker is a user. */
export type ReferralStakeTable = {
  stake_id: bigint
  staker: Buffer
  amount: bigint
  is_folded: Generated<boolean>
  /** Real time. */
  noted_at: Generated<Date>
}

/** Sums over a user's downline, without what still waits in the queues. */
export type DownlineTotalTable = {
  user_id: bigint
  directs: Generated<number>
  members: Generated<number>
  /** The user's own. */
  locked: Generated<bigint>
  turnover: Generated<bigint>
  deepest: Generated<number>
}

export type ReferralFeeTable = {
  fee_id: bigint
  payer_id: bigint
  fee_usdt: bigint
  direct: bigint
  indirect: bigint
}

export type ReferralBalanceTable = {
  user_id: bigint
  kind: ReferralKind
  row_count: bigint
  earned: bigint
  /** Rewards up to this number were in a claim. */
  claimed_rows: Generated<bigint>
  claimed: Generated<bigint>
}

export type ReferralRewardTable = {
  id: GeneratedAlways<bigint>
  fee_id: bigint
  receiver_id: bigint
  kind: ReferralKind
  row_number: bigint
  level: number
  rate_bps: number
  amount: bigint
  running: bigint
  from_address: Buffer
  plan_code: string
  created_at: Date
}

export type ReferralClaimState = 'requested' | 'approved' | 'paid' | 'declined' | 'returned'

export type ReferralClaimTable = {
  id: GeneratedAlways<bigint>
  user_id: bigint
  kind: ReferralKind
  amount: bigint
  from_row: bigint
  through_row: bigint
  usdt_address: Buffer
  requested_at: Date
  state: Generated<ReferralClaimState>
  needs_two: Generated<boolean>
  first_approved_by: bigint | null
  first_approved_at: Date | null
  approved_by: bigint | null
  approved_at: Date | null
  payout_id: bigint | null
  paid_tx: Buffer | null
  paid_block: bigint | null
  paid_at: Date | null
  ended_by: bigint | null
  ended_at: Date | null
  end_reason: string | null
  absorbed_by: bigint | null
}

/** At most one row: what was approved to leave the payout wallet and has not left. */
export type ReferralTreasuryTable = { single: Generated<boolean>; committed: Generated<bigint> }

export type ReferralRateChangeTable = {
  id: GeneratedAlways<bigint>
  user_id: bigint
  old_bps: number
  new_bps: number
  set_by: bigint
  confirmed_by: bigint | null
  needs_two: boolean
  at: Date
}

export type ReferralRateProposalTable = {
  user_id: bigint
  rate_bps: number
  proposed_by: bigint
  at: Date
}

declare module '../../platform/db.ts' {
  interface DB {
    referral_node: ReferralNodeTable
    downline_change: DownlineChangeTable
    referral_stake: ReferralStakeTable
    downline_total: DownlineTotalTable
    referral_fee: ReferralFeeTable
    referral_balance: ReferralBalanceTable
    referral_reward: ReferralRewardTable
    referral_claim: ReferralClaimTable
    referral_treasury: ReferralTreasuryTable
    referral_rate_change: ReferralRateChangeTable
    referral_rate_proposal: ReferralRateProposalTable
  }
}
