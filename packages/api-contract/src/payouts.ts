import { type Static, Type } from 'typebox'
import {
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

export const PayoutChain = OneOf('TRON', 'BSC')
export const PayoutState = OneOf('waiting', 'sent', 'final', 'returned')

export const AdminPayout = Type.Object({
  id: Type.String(),
  chain: PayoutChain,
  asset: OneOf('DCT', 'USDT'),
  cause: Type.String({ examples: ['claim:17:later'] }),
  code_claim: Nullable(Type.String({ description: 'The claim that it pays a part of.' })),
  to_address: Type.String(),
  amount: AmountText,
  plan_code: Nullable(Type.String()),
  state: PayoutState,
  wait_reason: Nullable(Type.String({ description: 'A stable code, such as NO_TRX.' })),
  wait_text: Nullable(Type.String()),
  waiting_since: Nullable(Timestamp),
  failures: Type.Integer(),
  attempts: Type.Integer(),
  tx_hash: Nullable(Type.String()),
  created_at: Timestamp,
  final_at: Nullable(Timestamp),
})
export type AdminPayout = Static<typeof AdminPayout>

export const PayoutsQuery = ListQuery(LIST_ORDERS.payouts, {
  state: Type.Optional(PayoutState),
  chain: Type.Optional(PayoutChain),
  ...DateRange,
})
export type PayoutsQuery = Static<typeof PayoutsQuery>
export const PayoutsReply = Type.Object({
  payouts: Type.Array(AdminPayout),
  ...ListFrame,
  is_total_capped: Type.Boolean({
    description: 'True when there are more rows than the total states.',
  }),
})
export type PayoutsReply = Static<typeof PayoutsReply>

const Id = Type.String({ pattern: '^[1-9]\\d{0,17}$' })
export const RetryPayoutBody = Strict({ id: Id })
export type RetryPayoutBody = Static<typeof RetryPayoutBody>
export const HoldPayoutBody = Strict({
  id: Id,
  reason: Reason,
})
export type HoldPayoutBody = Static<typeof HoldPayoutBody>

/** A contract call by the operator's key other than a reward payment. */
export const OperatorCall = Type.Object({
  id: Type.String(),
  kind: OneOf('openPlan', 'closePlan', 'release', 'publishOwed'),
  subject: Type.String({ examples: ['plan:PLAN-360', 'stake:17', 'owed:2026-01-30'] }),
  state: PayoutState,
  failures: Type.Integer(),
  wait_text: Nullable(Type.String()),
  created_at: Timestamp,
})
export type OperatorCall = Static<typeof OperatorCall>
export const OperatorCallsReply = Type.Object({ operator_calls: Type.Array(OperatorCall) })
export type OperatorCallsReply = Static<typeof OperatorCallsReply>
export const OperatorCallBody = Strict({ id: Id })
export type OperatorCallBody = Static<typeof OperatorCallBody>

export const SendersReply = Type.Object({
  senders: Type.Array(
    Type.Object({
      chain: PayoutChain,
      address: Type.String(),
      queued: Type.Integer(),
      on_the_way: Type.Integer(),
      held: Type.Integer(),
      oldest_at: Nullable(Timestamp),
    }),
  ),
})
export type SendersReply = Static<typeof SendersReply>
