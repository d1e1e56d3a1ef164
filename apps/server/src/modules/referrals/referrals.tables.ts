import type { ReferralKind } from '@dct/rules/referral-shares'
import type { Generated, GeneratedAlways, Selectable } from 'kysely'
import { tablesOf } from '../../platform/database/db.ts'
import type { AuthViews } from '../auth/index.ts'
import type { ProposalsViews } from '../proposals/index.ts'

/** The place of a user in the tree. Maintained by triggers on `app_user`. */
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

/** A user who joined or left below `referrer_id`; queued until added to the totals of the users above. */
export type DownlineChangeTable = {
  id: GeneratedAlways<bigint>
  referrer_id: bigint
  members: 1 | -1
  /** Real time. */
  recorded_at: Generated<Date>
}

/** A stake on chain by any address. Queued until its staker is a user. */
export type ReferralStakeTable = {
  stake_id: bigint
  staker: Buffer
  amount: bigint
  is_counted: Generated<boolean>
  /** Real time. */
  recorded_at: Generated<Date>
}

/** Sums over a user's downline, without changes that are still queued. */
export type DownlineTotalTable = {
  user_id: bigint
  directs: Generated<number>
  members: Generated<number>
  /** The user's own stakes. */
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
  /** Rewards up to this number are in a claim. */
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
  /**
   * What the vault needs to pay the claim: the most that may ever be paid for this user and kind, and the signed text
   * around the statement that the vault rebuilds. Null for a claim that the vault had paid before it was known.
   */
  total: bigint | null
  opening: string | null
  closing: string | null
  signature: Buffer | null
}

/** At most one row: USDT base units that are approved for payment from the vault and not paid yet. */
export type ReferralTreasuryTable = { single: Generated<boolean>; committed: Generated<bigint> }

/** The views of referrals that other modules may read. */
export type ReferralsViews = {
  referral_claim_view: Pick<
    Selectable<ReferralClaimTable>,
    'id' | 'user_id' | 'kind' | 'amount' | 'usdt_address' | 'state'
  >
}

export type ReferralsTables = {
  referral_node: ReferralNodeTable
  downline_change: DownlineChangeTable
  referral_stake: ReferralStakeTable
  downline_total: DownlineTotalTable
  referral_fee: ReferralFeeTable
  referral_balance: ReferralBalanceTable
  referral_reward: ReferralRewardTable
  referral_claim: ReferralClaimTable
  referral_treasury: ReferralTreasuryTable
}

/** The tables of this module, and the views of other modules that it reads. */
export const own = tablesOf<ReferralsTables & AuthViews & ProposalsViews>()
