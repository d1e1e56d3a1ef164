import { type Static, Type } from 'typebox'
import {
  AmountText,
  DateRange,
  Day,
  ListFrame,
  ListQuery,
  Nullable,
  OneOf,
  Strict,
  Timestamp,
} from './common.ts'
import { LIST_ORDERS } from './lists.ts'
import { OwedDay } from './owed-list.ts'

/** The final block at which the contracts were read. */
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
      { description: 'The figures in the reward contract; null when no node answers.' },
    ),
  ),
  booked: Type.Object({
    promised: Type.Object(
      { total: AmountText, future: AmountText, unclaimed: AmountText, claimed: AmountText },
      { description: 'Rewards still owed: of future cycles, credited, and being sent.' },
    ),
    locked: AmountText,
    stakes: Type.Integer(),
  }),
})
export type PlanReserves = Static<typeof PlanReserves>

/** Commitments and holdings, for anyone to check. */
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
      skipped: Type.Integer({ description: 'Checks that could not be made.' }),
    }),
  ),
})
export type ReservesReply = Static<typeof ReservesReply>

/** Previews the effect of a percentage on the fees of the last 30 days. */
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
  users_below: Type.Integer({
    description: 'The number of users whose fees are shared with the user.',
  }),
  fees: Type.Object({
    since: Timestamp,
    payers: Type.Integer(),
    total_usdt: AmountText,
    is_partial: Type.Boolean({ description: 'True when only the largest payers were counted.' }),
  }),
  own_share: Type.Object({ before: AmountText, after: AmountText }),
  all_shares: Type.Object(
    { before: AmountText, after: AmountText, difference: AmountText },
    { description: 'The shares of the whole line in these fees.' },
  ),
  needs_second_admin: Type.Boolean(),
  same_or_higher_below: Type.Object({
    count: Type.Integer(),
    examples: Type.Array(Type.Object({ tron_address: Type.String(), percentage: Type.String() })),
  }),
})
export type RatePreviewReply = Static<typeof RatePreviewReply>

export const DayParams = Type.Object({ day: Day })

/** One kind of movement on a day: the chain's figures and the booked figures of the same transactions. */
export const DayFlow = Type.Object({
  flow: Type.String({ examples: ['reward_paid'] }),
  asset: OneOf('DCT', 'USDT'),
  count: Type.Integer(),
  on_chain: AmountText,
  booked: AmountText,
  difference: AmountText,
})
export type DayFlow = Static<typeof DayFlow>
/** A figure of a day that comes only from the books. */
export const DayFigure = Type.Object({
  figure: Type.String({ examples: ['rewards_credited'] }),
  asset: OneOf('DCT', 'USDT'),
  count: Type.Integer(),
  amount: AmountText,
})
export type DayFigure = Static<typeof DayFigure>

/** The content of a closed day's file. */
export const DayStatement = Type.Object({
  day: Day,
  from: Timestamp,
  before: Timestamp,
  read_through: Type.Object({ tron: Type.Integer(), bsc: Type.Integer() }),
  flows: Type.Array(DayFlow),
  figures: Type.Array(DayFigure),
  /** What referrers were owed at the day's end; null if no list was made of that day. */
  owed: Nullable(Type.Pick(OwedDay, ['root', 'sum', 'holders'])),
  differences: Type.Integer(),
})
export type DayStatement = Static<typeof DayStatement>

export const DailyCloseReply = Type.Object({
  statement: DayStatement,
  can_close: Type.Boolean({ description: 'The day is over and both chains were read to its end.' }),
  closed: Nullable(Type.Object({ at: Timestamp, by: Type.String(), sha256: Type.String() })),
})
export type DailyCloseReply = Static<typeof DailyCloseReply>

export const DailyClosesQuery = ListQuery(LIST_ORDERS.dailyCloses, DateRange)
export type DailyClosesQuery = Static<typeof DailyClosesQuery>
export const DailyClosesReply = Type.Object({
  closes: Type.Array(
    Type.Object({
      day: Day,
      closed_at: Timestamp,
      closed_by: Type.String(),
      differences: Type.Integer(),
      sha256: Type.String(),
    }),
  ),
  ...ListFrame,
})
export type DailyClosesReply = Static<typeof DailyClosesReply>

export const CaseParams = Type.Object({ code: Type.String({ minLength: 1, maxLength: 80 }) })
export const CaseTokenParams = Type.Object({ token: Type.String({ minLength: 1, maxLength: 80 }) })
export const CaseLinkParams = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 80 }),
  id: Type.String({ pattern: '^[1-9]\\d{0,17}$', examples: ['1'] }),
})

const CaseEvent = Type.Object({
  chain: OneOf('TRON', 'BSC'),
  name: Type.String(),
  tx_hash: Type.String(),
  block_number: Type.Integer(),
  at: Timestamp,
})
const CasePayment = Type.Object({
  tx_hash: Type.String(),
  from_address: Type.String(),
  amount_usdt: AmountText,
  received_at: Timestamp,
  state: Type.String(),
  is_fee: Type.Boolean({
    description: 'True: it settled this fee. False: it was probably meant for it.',
  }),
  note: Nullable(Type.String()),
})
const CasePayout = Type.Object({
  id: Type.String(),
  part: Type.String({ examples: ['later'] }),
  amount: AmountText,
  state: Type.String(),
  reason: Nullable(Type.String()),
  attempts: Type.Integer(),
  tx_hash: Nullable(Type.String()),
  created_at: Timestamp,
  final_at: Nullable(Timestamp),
})
const CaseEntry = Type.Object({
  kind: Type.String(),
  ref: Type.String(),
  asset: Type.String(),
  amount: AmountText,
  debit: Type.String(),
  credit: Type.String(),
  at: Timestamp,
})
/** What support may see: the claim and its payments, but no e-mail address and no notes. */
export const SupportCase = Type.Object({
  code_claim: Type.String(),
  plan_code: Type.String(),
  claim_type: Type.String(),
  state: Type.String(),
  tron_address: Type.String({ description: 'Shortened for support.' }),
  claimed_amount: AmountText,
  now_amount: AmountText,
  later_amount: AmountText,
  price_usdt: Type.String(),
  fee_usdt: AmountText,
  energy_fee_usdt: AmountText,
  exact_fee_usdt: AmountText,
  receiver: Type.String(),
  first_cycle: Type.Integer(),
  last_cycle: Type.Integer(),
  requested_at: Timestamp,
  fee_until: Timestamp,
  paid_at: Nullable(Timestamp),
  closed_at: Nullable(Timestamp),
  deadline: Nullable(Timestamp),
  payments: Type.Array(CasePayment),
  payouts: Type.Array(CasePayout),
  events: Type.Array(CaseEvent),
})
export type SupportCase = Static<typeof SupportCase>

export const CaseReply = Type.Object({
  case: SupportCase,
  stake: Type.Object({ id: Type.String(), tx_hash: Type.String(), amount: AmountText }),
  named_transaction: Nullable(
    Type.Object({ tx_hash: Type.String(), at: Timestamp, problem: Nullable(Type.String()) }),
  ),
  entries: Type.Array(CaseEntry),
  referral_rewards: Type.Array(
    Type.Object({ tron_address: Type.String(), kind: Type.String(), amount_usdt: AmountText }),
  ),
  notes: Type.Array(
    Type.Object({ id: Type.String(), by: Type.String(), text: Type.String(), at: Timestamp }),
  ),
  links: Type.Array(
    Type.Object({
      id: Type.String(),
      created_by: Type.String(),
      created_at: Timestamp,
      expires_at: Timestamp,
      is_open: Type.Boolean(),
    }),
  ),
})
export type CaseReply = Static<typeof CaseReply>

export const CaseNoteBody = Strict({ text: Type.String({ minLength: 1, maxLength: 2_000 }) })
export type CaseNoteBody = Static<typeof CaseNoteBody>
export const CaseLinkBody = Strict({ hours: Type.Integer({ minimum: 1, maximum: 720 }) })
export type CaseLinkBody = Static<typeof CaseLinkBody>
/** The token is returned only here. */
export const CaseLinkReply = Type.Object({ token: Type.String(), expires_at: Timestamp })
export type CaseLinkReply = Static<typeof CaseLinkReply>
