import { type Static, Type } from 'typebox'
import { AmountText, Nullable, Timestamp } from './common.ts'

/** The final block at which contracts were asked. */
const SeenAt = Type.Object({ number: Type.Integer(), hash: Type.String(), at: Timestamp })

const PlanReserves = Type.Object({
  plan_code: Type.String(),
  name: Type.String(),
  on_chain: Nullable(
    Type.Object(
      {
        funded: AmountText,
        withdrawn: AmountText,
        reserved: AmountText,
        paid: AmountText,
        free: AmountText,
      },
      { description: 'What the reward contract says of the plan; null when no node answers.' },
    ),
  ),
  booked: Type.Object({
    promised: Type.Object(
      { total: AmountText, future: AmountText, unclaimed: AmountText, claimed: AmountText },
      { description: 'Rewards still owed: of cycles to come, credited, and on their way.' },
    ),
    locked: AmountText,
    stakes: Type.Integer(),
  }),
})
export type PlanReserves = Static<typeof PlanReserves>

/** What is promised against what is held, for everybody to check. */
export const ReservesReply = Type.Object({
  at: Timestamp,
  plans: Type.Array(PlanReserves),
  tron: Nullable(
    Type.Object({
      block: SeenAt,
      total_locked: AmountText,
      stakes: Type.Integer(),
      staking_balance: AmountText,
      pool_balance: AmountText,
      pool_must_hold: AmountText,
    }),
  ),
  bsc: Nullable(Type.Object({ block: SeenAt, payout_wallet_balance: AmountText })),
  booked: Type.Object({ locked: AmountText, stakes: Type.Integer(), referral_owed: AmountText }),
  last_audit: Nullable(
    Type.Object({
      finished_at: Timestamp,
      is_full: Type.Boolean(),
      compared: Type.Integer(),
      differences: Type.Integer(),
      skipped: Type.Integer({ description: 'Questions that could not be asked.' }),
    }),
  ),
})
export type ReservesReply = Static<typeof ReservesReply>

/** What a percentage would change, were it in force for the fees of the last 30 days. */
export const RatePreviewQuery = Type.Object(
  {
    target_tron_address: Type.String({ minLength: 1, maxLength: 64 }),
    referral_reward_percentage: Type.String({ minLength: 1, maxLength: 20, examples: ['12.5'] }),
  },
  { additionalProperties: false },
)
export type RatePreviewQuery = Static<typeof RatePreviewQuery>

export const RatePreviewReply = Type.Object({
  old_percentage: Type.String(),
  new_percentage: Type.String(),
  users_below: Type.Integer({ description: 'Whose fees are shared with the user.' }),
  fees: Type.Object({
    since: Timestamp,
    payers: Type.Integer(),
    total_usdt: AmountText,
    is_partial: Type.Boolean({ description: 'True when only the largest payers were counted.' }),
  }),
  own_share: Type.Object({ before: AmountText, after: AmountText }),
  all_shares: Type.Object(
    { before: AmountText, after: AmountText, difference: AmountText },
    { description: 'Earning shares of the whole line from these fees.' },
  ),
  needs_second_admin: Type.Boolean(),
  same_or_higher_below: Type.Object({
    count: Type.Integer(),
    examples: Type.Array(Type.Object({ tron_address: Type.String(), percentage: Type.String() })),
  }),
})
export type RatePreviewReply = Static<typeof RatePreviewReply>
