import { MOST_KNOWN_CODES } from '@dct/rules/constants'
import { byClaimKind, CLAIM_KINDS } from '@dct/rules/fees'
import { type Static, Type } from 'typebox'
import {
  AmountInput,
  AmountText,
  DateRange,
  Day,
  inAnyCase,
  ListFrame,
  ListQuery,
  Nullable,
  OneOf,
  Strict,
  Timestamp,
  TronAddressText,
} from './common.ts'
import { LIST_ORDERS } from './lists.ts'
import { KnownAttempts } from './money-steps.ts'

export const ClaimType = OneOf(...CLAIM_KINDS)
export type ClaimType = Static<typeof ClaimType>
/** Case does not matter in requests. */
const ClaimTypeInput = Type.String({
  pattern: inAnyCase(CLAIM_KINDS),
  examples: [...CLAIM_KINDS],
})
export const ClaimState = OneOf('awaiting_fee', 'paid', 'cancelled', 'lapsed')
export type ClaimState = Static<typeof ClaimState>
const PlanCode = Type.String({ maxLength: 64, examples: ['PLAN-360'] })
const ClaimCode = Type.String({ minLength: 1, maxLength: 40, examples: ['CL-3F0A9C81D2E4B657'] })
const Percentage = Type.String({ examples: ['40'] })

/** The parts of a fee: 40 % of the claimed DCT at a price, and the energy fee. */
const feeParts = {
  fee_percentage: Percentage,
  unpaid_fee: AmountText,
  price_usdt: Type.String({ description: 'USDT for one DCT.', examples: ['1.00000000'] }),
  fee_usdt: AmountText,
  energy_fee_usdt: AmountText,
}

/** The unpaid rest of a fee, and its exact amount. */
const exactFee = {
  unpaid_fee_usdt: Type.String({
    ...AmountText,
    description: '0 once it can no longer be paid.',
  }),
  exact_fee_usdt: AmountText,
}

/** What each type of claim sends now and after its fee is paid. */
const ClaimPartsByType = Type.Object(
  byClaimKind(() => Type.Object({ now_amount: AmountText, later_amount: AmountText })),
)

export const ClaimableReward = Type.Object({
  earning_plan_code: Type.String(),
  total_claimable: AmountText,
  estimated_fee_usdt: Type.String({ description: 'The maximum of the fee.' }),
  is_fee_known: Type.Boolean({
    description: 'False without a current price; the figures in USDT are then 0.',
  }),
  ...feeParts,
  parts: ClaimPartsByType,
  value_usdt: AmountText,
  net_usdt: AmountText,
  costs_more_than_it_brings: Type.Boolean(),
  has_open_fee: Type.Boolean(),
  can_claim: Type.Boolean(),
  refusal_code: Nullable(Type.String({ examples: ['BELOW_MINIMUM_CLAIM'] })),
  refusal_text: Nullable(Type.String()),
  first_cycle: Type.Integer(),
  last_cycle: Type.Integer(),
  is_after_end: Type.Boolean({
    description: 'Whether the last cycle has been credited, so that any amount may be claimed.',
  }),
  claimable_from: Nullable(Day),
  unpaid_lapses_from: Nullable(
    Type.String({
      ...Day,
      description: 'The first day whose cycle is lost if the fee of a claim made now stays unpaid.',
    }),
  ),
  end_date: Timestamp,
  claim_until: Timestamp,
  fee_until: Timestamp,
})
export type ClaimableReward = Static<typeof ClaimableReward>
export const ClaimableRewardsReply = Type.Object({
  claimable_rewards: Type.Array(ClaimableReward),
})
export type ClaimableRewardsReply = Static<typeof ClaimableRewardsReply>

export const ClaimBody = Strict({
  earning_plan_code: Type.Optional(PlanCode),
  claim_type: ClaimTypeInput,
  max_fee_usdt: Type.Optional(AmountInput),
  known_codes: Type.Optional(
    Type.Array(ClaimCode, {
      maxItems: MOST_KNOWN_CODES,
      description:
        'Codes of earlier claims. One that a restored database has lost proves whose it was: it is made again from the payment of its fee.',
    }),
  ),
})
export type ClaimBody = Static<typeof ClaimBody>
/** A lost claim that was made again and is settled with the payment of its fee. */
export const RemadeClaim = Type.Object({
  code_claim: Type.String(),
  now_amount: AmountText,
  later_amount: AmountText,
  paid_usdt: AmountText,
})
export const ClaimReply = Type.Object({
  message: Type.String(),
  data: Type.Object({
    transaction_hash: Type.String({
      description: "'RTX-…' or 'RW-…' until the transaction is final.",
    }),
    code_claim: Type.String(),
    claim_type: ClaimType,
    now_amount: AmountText,
    later_amount: AmountText,
    unpaid_fee_usdt: AmountText,
    receiver_address: Type.String(),
    remade: Type.Optional(
      Type.Array(RemadeClaim, {
        description: 'Claims that a restored database had lost, with the payments of their fees.',
      }),
    ),
  }),
})
export type ClaimReply = Static<typeof ClaimReply>

export const CancelClaimBody = Strict({ code_claim: ClaimCode })
export type CancelClaimBody = Static<typeof CancelClaimBody>

/** The transaction that the holder submitted as the fee payment, and the result of its check. */
export const FeeHint = Type.Object({
  tx_hash: Type.String(),
  is_checking: Type.Boolean(),
  problem_code: Nullable(Type.String()),
  message: Type.String(),
})
export const MismatchedPayment = Type.Object({
  tx_hash: Type.String(),
  received_usdt: AmountText,
  expected_usdt: AmountText,
  message: Type.String(),
  earlier: Type.Array(Type.Object({ tx_hash: Type.String(), received_usdt: AmountText }), {
    description: 'Others of the same kind, newest first.',
  }),
})

export const PendingClaimFee = Type.Object({
  earning_plan_code: Type.String(),
  claim_type: ClaimType,
  code_claim: Type.String(),
  pending_token_amount: Type.String({ ...AmountText, description: 'The whole claim.' }),
  claimed_amount: Type.String({
    ...AmountText,
    description: 'The part sent before the fee was paid: half of a HALF claim, 0 of a FULL one.',
  }),
  now_amount: AmountText,
  later_amount: AmountText,
  ...exactFee,
  ...feeParts,
  is_paid: Type.Boolean(),
  paid_at: Nullable(Timestamp),
  deadline: Nullable(Timestamp),
  tx_hash_usdt: Nullable(Type.String()),
  tx_hash_reward: Nullable(Type.String({ description: "Starts with 'RW-' while being sent." })),
  claimed_trx_hash: Nullable(Type.String({ description: "Starts with 'RTX-' while being sent." })),
  status: OneOf('Waiting', 'Done'),
  claim_date: Timestamp,
  first_cycle: Type.Integer(),
  last_cycle: Type.Integer(),
  fee_until: Timestamp,
  cancellable_from: Nullable(Timestamp),
  receiver_address: Type.String(),
  network: Type.String({ examples: ['BSC (BEP20)'] }),
  hint: Nullable(FeeHint),
  /** A payment that settled nothing: of another amount, or one more for a fee that is paid. */
  mismatch: Nullable(MismatchedPayment),
})
export type PendingClaimFee = Static<typeof PendingClaimFee>
export const PendingFeesQuery = ListQuery(LIST_ORDERS.pendingFees, {
  is_paid: Type.Optional(Type.Boolean()),
})
export type PendingFeesQuery = Static<typeof PendingFeesQuery>
export const PendingFeesReply = Type.Object({
  pending_fees: Type.Array(PendingClaimFee),
  ...ListFrame,
})
export type PendingFeesReply = Static<typeof PendingFeesReply>

export const PayClaimFeeBody = Strict({
  earning_plan_code: PlanCode,
  tx_hash_usdt: Type.Optional(Type.String({ maxLength: 200 })),
  code_claim: Type.Optional(ClaimCode),
})
export type PayClaimFeeBody = Static<typeof PayClaimFeeBody>
export const PayClaimFeeReply = Type.Object({
  message: Type.String(),
  status: OneOf('recorded', 'submitted'),
  code_claim: Type.String(),
})
export type PayClaimFeeReply = Static<typeof PayClaimFeeReply>

/** The half of a HALF claim that is sent immediately. */
export const ClaimedReward = Type.Object({
  earning_plan_code: Type.String(),
  code_claim: Type.String(),
  claim_type: ClaimType,
  claimed_amount: AmountText,
  claimed_trx_hash: Type.String(),
  claim_date: Timestamp,
})
export type ClaimedReward = Static<typeof ClaimedReward>
export const ClaimedRewardsReply = Type.Object({ claimed_rewards: Type.Array(ClaimedReward) })
export type ClaimedRewardsReply = Static<typeof ClaimedRewardsReply>

const claimRecord = {
  claim_date: Timestamp,
  plan_code: Type.String(),
  earning_plan_code: Type.String(),
  code_claim: Type.String(),
  claimed_amount: AmountText,
  pending_token_amount: AmountText,
  claim_type: ClaimType,
  state: ClaimState,
  is_paid: Type.Boolean(),
  lapsed_amount: AmountText,
  first_cycle: Type.Integer(),
  last_cycle: Type.Integer(),
  ...feeParts,
  ...exactFee,
  tx_hash_usdt: Nullable(Type.String()),
  tx_hash_reward: Nullable(Type.String()),
  trx_hash: Type.String(),
  paid_at: Nullable(Timestamp),
  deadline: Nullable(Timestamp),
}
export const ClaimRecord = Type.Object(claimRecord)
export type ClaimRecord = Static<typeof ClaimRecord>
export const AdminClaimRecord = Type.Object({ ...claimRecord, tron_address: TronAddressText })
export type AdminClaimRecord = Static<typeof AdminClaimRecord>

const claimFilters = {
  plan_code: Type.Optional(PlanCode),
  earning_plan_code: Type.Optional(PlanCode),
  ...DateRange,
}
export const ClaimHistoryQuery = ListQuery(LIST_ORDERS.claims, claimFilters)
export type ClaimHistoryQuery = Static<typeof ClaimHistoryQuery>
export const AdminClaimHistoryQuery = ListQuery(LIST_ORDERS.claims, {
  ...claimFilters,
  tron_address: Type.Optional(Type.String({ maxLength: 64 })),
})
export type AdminClaimHistoryQuery = Static<typeof AdminClaimHistoryQuery>
export const ClaimHistoryReply = Type.Object({ claims: Type.Array(ClaimRecord), ...ListFrame })
export type ClaimHistoryReply = Static<typeof ClaimHistoryReply>
export const AdminClaimHistoryReply = Type.Object({
  claims: Type.Array(AdminClaimRecord),
  ...ListFrame,
  is_total_capped: Type.Boolean({
    description: 'True when there are more rows than the total states.',
  }),
})
export type AdminClaimHistoryReply = Static<typeof AdminClaimHistoryReply>

/** Consecutive cycles with the same result. The amount is their sum, credited or lapsed. */
export const ProgressStretch = Type.Object({
  first_cycle: Type.Integer(),
  last_cycle: Type.Integer(),
  first_day: Day,
  last_day: Day,
  amount: AmountText,
  is_lapsed: Type.Boolean(),
  is_frozen: Type.Boolean({ description: 'The earning was frozen at the end of these days.' }),
})
export type ProgressStretch = Static<typeof ProgressStretch>
export const ProgressClaim = Type.Object({
  code_claim: Type.String(),
  claim_type: ClaimType,
  state: ClaimState,
  claim_day: Day,
  first_cycle: Type.Integer(),
  last_cycle: Type.Integer(),
  claimed_amount: AmountText,
})
/** The results of an earning's cycles, day by day. */
export const EarningProgress = Type.Object({
  earning_plan_code: Type.String(),
  start_day: Day,
  duration_days: Type.Integer(),
  total_reward: AmountText,
  stretches: Type.Array(ProgressStretch),
  claims: Type.Array(ProgressClaim),
})
export type EarningProgress = Static<typeof EarningProgress>

export const UnmatchedState = OneOf('unmatched', 'settled', 'refunded', 'internal', 'dust')
/** USDT received by a fee receiver that settled no fee automatically. */
export const UnmatchedPayment = Type.Object({
  tx_hash: Type.String(),
  log_index: Type.Integer(),
  from_address: Type.String(),
  to_address: Type.String(),
  amount_usdt: AmountText,
  received_at: Timestamp,
  state: UnmatchedState,
  nearest_code_claim: Nullable(Type.String()),
  nearest_tron_address: Nullable(Type.String()),
  nearest_expected_usdt: Nullable(AmountText),
  nearest_difference_usdt: Nullable(AmountText),
  note: Nullable(Type.String()),
  handled_by: Nullable(Type.String({ description: "The admin's Tron address." })),
  handled_at: Nullable(Timestamp),
})
export type UnmatchedPayment = Static<typeof UnmatchedPayment>
export const UnmatchedPaymentsQuery = ListQuery(LIST_ORDERS.unmatchedPayments, {
  state: Type.Optional(UnmatchedState),
  ...DateRange,
})
export type UnmatchedPaymentsQuery = Static<typeof UnmatchedPaymentsQuery>
export const UnmatchedPaymentsReply = Type.Object({
  payments: Type.Array(UnmatchedPayment),
  ...ListFrame,
  is_total_capped: Type.Boolean({
    description: 'True when there are more rows than the total states.',
  }),
})
export type UnmatchedPaymentsReply = Static<typeof UnmatchedPaymentsReply>

const receipt = {
  tx_hash: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }),
  log_index: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
}
export const AttachPaymentBody = Strict({
  ...receipt,
  code_claim: ClaimCode,
  /** The attempts to send the payment back that the admin knew of. */
  known: Type.Optional(KnownAttempts),
})
export type AttachPaymentBody = Static<typeof AttachPaymentBody>
export const RefundedPaymentBody = Strict({
  ...receipt,
  refund_tx_hash: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }),
  note: Type.Optional(Type.String({ maxLength: 300 })),
})
export type RefundedPaymentBody = Static<typeof RefundedPaymentBody>
