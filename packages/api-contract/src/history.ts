import { type Static, Type } from 'typebox'
import { AmountText, DateRange, Day, MAX_PAGE_SIZE, Nullable, OneOf, Timestamp } from './common.ts'
import { HISTORY_PLACE, PAGE_SIZE } from './lists.ts'
import { BONUS_TYPES } from './referrals.ts'

/** The kinds of events in a holder's history, by the groups that it can be filtered by. */
export const HISTORY_KINDS = {
  account: ['registered', 'percentage_changed'],
  capital: ['capital_locked', 'join_failed', 'capital_returned'],
  rewards: ['reward', 'reward_lapsed', 'reward_expired'],
  claims: [
    ...['claim_made', 'claim_cancelled', 'claim_lapsed', 'fee_paid', 'reward_sent'],
    ...['payment_unmatched', 'payment_refunded'],
  ] as const,
  referrals: [
    ...['referral_reward', 'referral_claim_made', 'referral_claim_approved'],
    ...['referral_claim_declined', 'referral_claim_returned', 'referral_claim_paid'],
  ] as const,
} as const
export type HistoryGroup = keyof typeof HISTORY_KINDS | 'payments'
export type HistoryKind = (typeof HISTORY_KINDS)[keyof typeof HISTORY_KINDS][number]

/** A group of kinds, or `payments`: everything that moved between the holder's wallets and the service on a chain. */
const Group = Type.Unsafe<HistoryGroup>({
  type: 'string',
  enum: [...Object.keys(HISTORY_KINDS), 'payments'],
  description: '`payments`: everything that moved on a chain to or from the holder.',
})
const filters = {
  kind: Type.Optional(Group),
  earning_plan_code: Type.Optional(Type.String({ maxLength: 64, examples: ['PLAN-360'] })),
  ...DateRange,
}

/** The position in a history after which a page begins: `next` of the previous page. */
const Place = Type.String({ pattern: HISTORY_PLACE })

export const HistoryQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 2 * PAGE_SIZE }),
    after: Type.Optional(Place),
    sort_order: Type.Unsafe<'asc' | 'desc'>({
      type: 'string',
      enum: ['asc', 'desc'],
      default: 'desc',
    }),
    rewards: Type.Unsafe<'daily' | 'monthly'>({
      type: 'string',
      enum: ['daily', 'monthly'],
      default: 'daily',
      description: 'Whether each cycle is an item, or each month of an earning.',
    }),
    ...filters,
  },
  { additionalProperties: false },
)
export type HistoryQuery = Static<typeof HistoryQuery>

export const HistoryItem = Type.Object({
  at: Timestamp,
  kind: OneOf(...Object.values(HISTORY_KINDS).flat()),
  direction: Nullable(OneOf('in', 'out')),
  asset: Nullable(OneOf('DCT', 'USDT')),
  amount: Nullable(AmountText),
  earning_plan_code: Nullable(Type.String()),
  first_day: Nullable(Day),
  last_day: Nullable(Day),
  days: Nullable(Type.Integer({ description: 'The number of cycles that the item covers.' })),
  code_claim: Nullable(Type.String()),
  claim_type: Nullable(Type.String()),
  bonus_type: Nullable(OneOf(...BONUS_TYPES)),
  percentage: Nullable(Type.String({ description: 'The new referral percentage.' })),
  reason: Nullable(Type.String()),
  chain: Nullable(OneOf('TRON', 'BSC')),
  tx_hash: Nullable(Type.String()),
  id: Type.String(),
})
export type HistoryItem = Static<typeof HistoryItem>

/** `next` is null on the last page. Amounts are exact; `direction` is null for amounts that moved only in the books. */
export const HistoryReply = Type.Object({
  items: Type.Array(HistoryItem),
  next: Nullable(Place),
})
export type HistoryReply = Static<typeof HistoryReply>

export const HISTORY_FORMATS = ['csv', 'koinly', 'cointracking'] as const
export type HistoryFormat = (typeof HISTORY_FORMATS)[number]
