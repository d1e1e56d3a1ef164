import { type Static, Type } from 'typebox'
import {
  AmountInput,
  AmountText,
  DateRange,
  Day,
  ListFrame,
  ListQuery,
  Nullable,
  OneOf,
  Strict,
  Timestamp,
  TronAddressText,
} from './common.ts'
import { LIST_ORDERS } from './lists.ts'

export const HASH_STATES = ['SUCCESS', 'WAITING', 'FAILED'] as const
export const FREEZE_REASONS = ['open_fee', 'unclaimed'] as const
/** `due`: the lock has ended and the release of the capital has not been requested yet. */
export const CAPITAL_STATES = ['locked', 'due', 'releasing', 'released'] as const

const userEarning = {
  /** The earning's id, or the transaction hash until it has one. */
  id: Type.String(),
  earning_plan_code: Type.String(),
  start_date: Timestamp,
  end_date: Timestamp,
  tron_address: TronAddressText,
  total_locked_amount: AmountText,
  total_reward: AmountText,
  /** The total credited so far. */
  total_shared_reward: AmountText,
  daily_reward: AmountText,
  /** Credited and not yet claimed. */
  total_unclaimed: AmountText,
  /** Counted cycles since the last claim, out of `freeze_limit`. */
  reward_distribution_count: Type.Integer(),
  is_frozen: Type.Boolean(),
  is_hash_confirmed: OneOf(...HASH_STATES),
  /** How long the hash has waited for confirmation; null once it is confirmed or failed. */
  waited_seconds: Nullable(Type.Integer({ minimum: 0 })),
  trx_hash: Type.String(),
  /** Why the hash failed, as text; null unless it has. */
  failure_reason: Nullable(Type.String()),
  duration_days: Type.Integer(),
  /** Cycles run so far, out of `duration_days`. */
  distributed_cycles: Type.Integer(),
  /** The amount of cycles that lapsed because they were not claimed in time. */
  total_lapsed: AmountText,
  freeze_limit: Type.Integer(),
  freeze_reason: Nullable(OneOf(...FREEZE_REASONS)),
  /** The highest warning threshold reached, such as 25 of 30; null below the first. */
  freeze_warning: Nullable(Type.Integer()),
  /** The business day on which the earning freezes without a claim; null when it will not. */
  freezes_on: Nullable(Day),
  /** The business day on which the minimum claim is reached; null once it is, or while the lock is not confirmed. */
  claimable_from: Nullable(Day),
  /** The first business day whose cycle is lost without a claim; null when none will be. */
  lapses_from: Nullable(Day),
  /** Claims are accepted until this time. */
  claim_until: Timestamp,
  /** The amount lost because it was still unclaimed at `claim_until`. */
  expired_amount: AmountText,
  capital_state: OneOf(...CAPITAL_STATES),
  release_trx_hash: Nullable(Type.String()),
}
/** A stake as its holder sees it: on chain, or only announced. */
export const UserEarning = Type.Object(userEarning)
export type UserEarning = Static<typeof UserEarning>

/** For admins; `is_registered` is false if the staker's address belongs to no user. */
export const AdminEarning = Type.Object({ ...userEarning, is_registered: Type.Boolean() })
export type AdminEarning = Static<typeof AdminEarning>

export type EarningSort = (typeof LIST_ORDERS.earnings.sortable)[number]
const PlanFilter = Type.Optional(Type.String({ maxLength: 64 }))

export const UserEarningsQuery = ListQuery(LIST_ORDERS.earnings, { earning_plan_code: PlanFilter })
export type UserEarningsQuery = Static<typeof UserEarningsQuery>

export const AdminEarningsQuery = ListQuery(LIST_ORDERS.earnings, {
  earning_plan_code: PlanFilter,
  is_registered: Type.Optional(Type.Boolean()),
  ...DateRange,
})
export type AdminEarningsQuery = Static<typeof AdminEarningsQuery>

/** A total that would take too long to count is capped and flagged. */
const CappedFrame = { ...ListFrame, is_total_capped: Type.Boolean() }

export const UserEarningsReply = Type.Object({ earnings: Type.Array(UserEarning), ...ListFrame })
export type UserEarningsReply = Static<typeof UserEarningsReply>
export const AdminEarningsReply = Type.Object({
  earnings: Type.Array(AdminEarning),
  ...CappedFrame,
})
export type AdminEarningsReply = Static<typeof AdminEarningsReply>

export const JoinBody = Strict({
  plan_code: Type.String({ maxLength: 64 }),
  amount: AmountInput,
  trx_hash: Type.String({ maxLength: 100 }),
})
export type JoinBody = Static<typeof JoinBody>
export const JoinReply = Type.Object({ message: Type.String(), earning: UserEarning })
export type JoinReply = Static<typeof JoinReply>

export const RequestClaimBody = Strict({ earning_plan_code: Type.String({ maxLength: 64 }) })
export type RequestClaimBody = Static<typeof RequestClaimBody>
export const RequestClaimReply = Type.Object({
  message: Type.String(),
  capital_state: OneOf(...CAPITAL_STATES),
})
export type RequestClaimReply = Static<typeof RequestClaimReply>

const rewardRecord = {
  reward_date: Day,
  earning_plan_code: Type.String(),
  reward_amount: AmountText,
  cycle: Type.Integer(),
  lapsed_amount: AmountText,
  /** Whether the cycle counts toward freezing. */
  is_counted: Type.Boolean(),
}
/** One cycle of one earning. A lapsed one has the amount 0 and states what was lost. */
export const RewardRecord = Type.Object(rewardRecord)
export type RewardRecord = Static<typeof RewardRecord>
export const AdminRewardRecord = Type.Object({
  ...rewardRecord,
  tron_address: TronAddressText,
  locked_amount: AmountText,
})
export type AdminRewardRecord = Static<typeof AdminRewardRecord>

export type RewardSort = (typeof LIST_ORDERS.rewards.sortable)[number]
export const RewardsQuery = ListQuery(LIST_ORDERS.rewards, {
  earning_plan_code: PlanFilter,
  ...DateRange,
})
export type RewardsQuery = Static<typeof RewardsQuery>
export const RewardsReply = Type.Object({ rewards: Type.Array(RewardRecord), ...ListFrame })
export type RewardsReply = Static<typeof RewardsReply>

export type AdminRewardSort = (typeof LIST_ORDERS.allRewards.sortable)[number]
export const AdminRewardsQuery = ListQuery(LIST_ORDERS.allRewards, {
  earning_plan_code: PlanFilter,
  ...DateRange,
})
export type AdminRewardsQuery = Static<typeof AdminRewardsQuery>
export const AdminRewardsReply = Type.Object({
  rewards: Type.Array(AdminRewardRecord),
  ...CappedFrame,
})
export type AdminRewardsReply = Static<typeof AdminRewardsReply>

/** A stake as a transaction. Active: its hash has not failed and it has not ended. */
export const StakeTransaction = Type.Object({
  is_active: Type.Boolean(),
  tron_address: TronAddressText,
  earning_plan_code: Type.String(),
  trx_hash: Type.String(),
  created_at: Timestamp,
  amount: AmountText,
  is_hash_confirmed: OneOf(...HASH_STATES),
})
export type StakeTransaction = Static<typeof StakeTransaction>

export type TransactionSort = (typeof LIST_ORDERS.transactions.sortable)[number]
export const TransactionsQuery = ListQuery(LIST_ORDERS.transactions, {
  earning_plan_code: PlanFilter,
  ...DateRange,
})
export type TransactionsQuery = Static<typeof TransactionsQuery>
export const TransactionsReply = Type.Object({
  transactions: Type.Array(StakeTransaction),
  ...CappedFrame,
})
export type TransactionsReply = Static<typeof TransactionsReply>
