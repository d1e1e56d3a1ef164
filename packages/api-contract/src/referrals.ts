import { type Static, Type } from 'typebox'
import {
  AmountInput,
  AmountText,
  DateRange,
  ListFrame,
  ListQuery,
  Nullable,
  OneOf,
  Reason,
  Strict,
  Timestamp,
} from './common.ts'
import { LIST_ORDERS } from './lists.ts'

/** The names of the two kinds of referral rewards in claims. */
export const BONUS_TYPES = ['direct bonus', 'non-direct'] as const
export type BonusType = (typeof BONUS_TYPES)[number]
const BonusTypeText = OneOf(...BONUS_TYPES)

/** Reads either form of a bonus type; undefined for anything else. */
export function readBonusType(text: string): BonusType | undefined {
  if (text === 'direct bonus') return 'direct bonus'
  return text === 'non-direct' || text === 'non-direct bonus' ? 'non-direct' : undefined
}

/** An address (T…) or an id. */
export const UserParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) })
const BEGINNING = 'The beginning of a Tron address or of a referral code.'

export const ReferralNode = Type.Object({
  level: Type.Integer({ description: '1: a direct referral of the list’s user.' }),
  tron_address: Type.String(),
  referral_code: Type.String(),
  created_at: Timestamp,
  total_locked_amount: AmountText,
  total_referrals: Type.Integer(),
})
export type ReferralNode = Static<typeof ReferralNode>

/** The caller's whole downline. */
export const DownlineQuery = ListQuery(LIST_ORDERS.downline, {})
export type DownlineQuery = Static<typeof DownlineQuery>

/** The direct referrals of a user. */
export const UserReferralsQuery = ListQuery(LIST_ORDERS.userReferrals, {})
export type UserReferralsQuery = Static<typeof UserReferralsQuery>
export const ReferralsReply = Type.Object(
  {
    referrals: Type.Array(ReferralNode),
    ...ListFrame,
  },
  { description: `\`search\` is: ${BEGINNING}` },
)
export type ReferralsReply = Static<typeof ReferralsReply>

/** A sketch of a downline of any size: its first members, and the number of members per level. */
export const ReferralTreeReply = Type.Object({
  total_downline: Type.Integer(),
  levels: Type.Array(Type.Object({ level: Type.Integer(), members: Type.Integer() })),
  deeper: Type.Integer({ description: 'Members below the last level of `levels`.' }),
  nodes: Type.Array(
    Type.Object({
      level: Type.Integer(),
      parent: Nullable(
        Type.Integer({ description: 'The index of the referrer in this list; null: the caller.' }),
      ),
      tron_address: Type.String(),
      total_referrals: Type.Integer(),
    }),
  ),
})
export type ReferralTreeReply = Static<typeof ReferralTreeReply>

const SPANS = ['day', 'month'] as const
export type EarningsSpan = (typeof SPANS)[number]
const SpanText = (rest: object) =>
  Type.Unsafe<EarningsSpan>({ type: 'string', enum: [...SPANS], ...rest })
/** The last 30 business days, or the last 12 months. */
export const ReferralEarningsQuery = Strict({ by: SpanText({ default: 'day' }) })
export const ReferralEarningsReply = Type.Object({
  by: SpanText({}),
  periods: Type.Array(
    Type.Object({
      start: Type.String({ description: 'The first business day of the period.' }),
      direct: AmountText,
      indirect: AmountText,
    }),
  ),
})
export type ReferralEarningsReply = Static<typeof ReferralEarningsReply>

const turnover = { total_downline: Type.Integer(), total_turnover: AmountText }
/** The figures are both under `data` and at the top level, because this call has two names. */
export const DownlineTurnoverReply = Type.Object({ data: Type.Object(turnover), ...turnover })
export type DownlineTurnoverReply = Static<typeof DownlineTurnoverReply>

export const ReferralReward = Type.Object({
  id: Type.String(),
  from_tron_address: Type.String(),
  earning_plan_code: Type.String(),
  reward_amount: AmountText,
  reward_description: Type.String({
    examples: ['direct downline reward', 'bonus referral level 3'],
  }),
  fee_amount: Type.Unsafe<string>({
    ...AmountText,
    description: 'The fee, without its energy part.',
  }),
  rate_percentage: Type.String({ description: 'The share of the fee.' }),
  created_at: Timestamp,
})
export type ReferralReward = Static<typeof ReferralReward>

export const ReferralRewardsQuery = ListQuery(LIST_ORDERS.ownReferralRewards, DateRange)
export const AdminReferralRewardsQuery = ListQuery(LIST_ORDERS.userReferralRewards, DateRange)
export type ReferralRewardsQuery = Static<typeof ReferralRewardsQuery>
export const ReferralRewardsReply = Type.Object({
  referral_rewards: Type.Array(ReferralReward),
  ...ListFrame,
})
export type ReferralRewardsReply = Static<typeof ReferralRewardsReply>

export const ReferralSummary = Type.Object({
  tron_address: Type.String(),
  total_direct_reward: AmountText,
  total_direct_claimed: AmountText,
  total_direct_unclaimed: AmountText,
  total_indirect_reward: AmountText,
  total_indirect_claimed: AmountText,
  total_indirect_unclaimed: AmountText,
  waiting_direct: Type.String({
    ...AmountText,
    description:
      'Claimed and waiting for approval, which blocks another claim of this kind; 0 if none.',
  }),
  waiting_indirect: AmountText,
})
export type ReferralSummary = Static<typeof ReferralSummary>
export const ReferralSummaryReply = Type.Object({ referral_summary: ReferralSummary })
export type ReferralSummaryReply = Static<typeof ReferralSummaryReply>

/** `sending` and `failed` show the state of an approved claim's payout; the others are states of the claim itself. */
export const REFERRAL_CLAIM_STATES = [
  'requested',
  'approved',
  'sending',
  'paid',
  'failed',
  'declined',
  'returned',
] as const
export type ReferralClaimState = (typeof REFERRAL_CLAIM_STATES)[number]

export const ClaimPoolEntry = Type.Object({
  id: Type.String(),
  created_at: Timestamp,
  tron_address: Type.String(),
  email: Nullable(Type.String()),
  total_accumulated: AmountText,
  last_claim_date: Timestamp,
  usdt_address: Type.String(),
  tx_hash_usdt: Nullable(Type.String()),
  approve_at: Nullable(Timestamp),
  approve_by: Nullable(Type.String({ description: "The admin's Tron address." })),
  bonus_type: BonusTypeText,
  state: OneOf(...REFERRAL_CLAIM_STATES),
  first_approve_by: Nullable(
    Type.String({ description: 'The first approver, if two are needed.' }),
  ),
  end_reason: Nullable(Type.String({ description: 'Why it was declined or returned.' })),
  queue_place: Nullable(
    Type.Integer({
      description: 'The place in the queue for approval or payment: 1 is next. Null beyond 1,000.',
    }),
  ),
})
export type ClaimPoolEntry = Static<typeof ClaimPoolEntry>

export const ClaimPoolHistoryQuery = ListQuery(LIST_ORDERS.ownReferralClaims, DateRange)
export const AdminClaimPoolHistoryQuery = ListQuery(LIST_ORDERS.userReferralClaims, DateRange)
export type ClaimPoolHistoryQuery = Static<typeof ClaimPoolHistoryQuery>
export const ClaimPoolHistoryReply = Type.Object({
  referral_claim_pool: Type.Array(ClaimPoolEntry),
  ...ListFrame,
  usual_wait: Nullable(
    Type.Object(
      {
        approval_seconds: Type.Integer(),
        payment_seconds: Type.Integer(),
        claims: Type.Integer(),
      },
      { description: 'The median times that recent paid claims took.' },
    ),
  ),
})
export type ClaimPoolHistoryReply = Static<typeof ClaimPoolHistoryReply>

export const AdminClaimPoolQuery = ListQuery(LIST_ORDERS.claimPool, {
  ...DateRange,
  bonus_type: Type.Optional(Type.String({ maxLength: 40 })),
})
export type AdminClaimPoolQuery = Static<typeof AdminClaimPoolQuery>
export const AdminClaimPoolReply = Type.Object({
  claim_pool: Type.Array(ClaimPoolEntry),
  ...ListFrame,
  is_total_capped: Type.Boolean({
    description: 'True when there are more rows than the total states.',
  }),
  unapproved: Type.Object(
    { 'direct bonus': Type.Integer(), 'non-direct': Type.Integer() },
    { description: 'Claims that wait for a first approval, at most 1,000 counted.' },
  ),
  approved_unpaid: AmountText,
})
export type AdminClaimPoolReply = Static<typeof AdminClaimPoolReply>

export const SaveReferralClaimBody = Strict({
  usdt_address: Type.String({ maxLength: 100 }),
  type: Type.String({ maxLength: 40 }),
  nonce: Type.Optional(Type.String({ maxLength: 100 })),
  signature: Type.Optional(Type.String({ maxLength: 15_000 })),
})
export type SaveReferralClaimBody = Static<typeof SaveReferralClaimBody>
export const SaveReferralClaimReply = Type.Object({
  message: Type.String(),
  id: Type.String(),
  total_accumulated: AmountText,
})
export type SaveReferralClaimReply = Static<typeof SaveReferralClaimReply>

const ClaimId = Type.Union([
  Type.String({ pattern: '^[1-9]\\d{0,17}$' }),
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
])
export const ApproveReferralClaimBody = Strict({ id: ClaimId })
export type ApproveReferralClaimBody = Static<typeof ApproveReferralClaimBody>
export const ApproveReferralClaimReply = Type.Object({
  message: Type.String(),
  is_approved: Type.Boolean({ description: 'False while it awaits a second approval.' }),
})
export type ApproveReferralClaimReply = Static<typeof ApproveReferralClaimReply>

export const EndReferralClaimBody = Strict({
  id: ClaimId,
  reason: Reason,
})
export type EndReferralClaimBody = Static<typeof EndReferralClaimBody>

export const UpdateReferralRewardBody = Strict({
  target_tron_address: Type.String({ minLength: 1, maxLength: 64 }),
  referral_reward_percentage: Nullable(Type.Union([AmountInput, Type.Literal('')])),
})
export type UpdateReferralRewardBody = Static<typeof UpdateReferralRewardBody>
export const UpdateReferralRewardReply = Type.Object({
  message: Type.String(),
  tron_address: Type.String(),
  referral_reward_percentage: Type.String(),
  is_set: Type.Boolean({
    description: 'False while it awaits the same value from a second admin.',
  }),
})
export type UpdateReferralRewardReply = Static<typeof UpdateReferralRewardReply>
