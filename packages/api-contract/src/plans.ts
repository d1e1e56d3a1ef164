import { type Static, Type } from 'typebox'
import {
  AmountInput,
  AmountText,
  Day,
  ListFrame,
  ListQuery,
  OneOf,
  Strict,
  Timestamp,
  TronAddressText,
} from './common.ts'
import { LIST_ORDERS } from './lists.ts'

export const PLAN_CODE_PATTERN = '^[A-Z0-9-]{1,32}$'

/** A plan's state on chain; `opening` and `closing` are temporary. */
export const PlanChainState = OneOf('opening', 'open', 'closing', 'closed')
export type PlanChainState = Static<typeof PlanChainState>

export const EarningPlan = Type.Object({
  plan_code: Type.String(),
  name: Type.String(),
  total_reward: AmountText,
  duration_days: Type.Integer(),
  total_percentage: Type.String({ examples: ['72'] }),
  daily_limit: AmountText,
  max_token_allowed: AmountText,
  remaining_daily_quota: AmountText,
  remaining_daily_limit: AmountText,
  remaining_annual_quota: AmountText,
  is_accumulation_active: Type.Boolean(),
  is_active: Type.Boolean(),
  chain_state: PlanChainState,
  created_at: Timestamp,
})
export type EarningPlan = Static<typeof EarningPlan>

export const PlansQuery = ListQuery(LIST_ORDERS.plans, {})
export type PlansQuery = Static<typeof PlansQuery>

const bothNames = { earning_plans: Type.Array(EarningPlan), plans: Type.Array(EarningPlan) }
/** `plans` equals `earning_plans`: the call has two names. */
export const PlansReply = Type.Object({ ...bothNames, ...ListFrame })
export type PlansReply = Static<typeof PlansReply>

/** All plans, without paging: for selects and filters. */
export const PlanListReply = Type.Object(bothNames)
export type PlanListReply = Static<typeof PlanListReply>

export const PlanCodeParams = Type.Object({ code: Type.String({ maxLength: 64 }) })

export const QuotaReply = Type.Object({
  plan_code: Type.String(),
  business_date: Day,
  remaining_daily_limit: AmountText,
  remaining_daily_quota: AmountText,
  remaining_annual_quota: AmountText,
})
export type QuotaReply = Static<typeof QuotaReply>

export const ReserveBody = Strict({ amount: AmountInput })
export type ReserveBody = Static<typeof ReserveBody>

export const ReservationReply = Type.Object({
  plan_code: Type.String(),
  amount: AmountText,
  reward: AmountText,
  duration_days: Type.Integer(),
  business_date: Day,
  expires_at: Timestamp,
})
export type ReservationReply = Static<typeof ReservationReply>

const planTerms = {
  plan_code: Type.String({ maxLength: 64 }),
  name: Type.String({ maxLength: 200 }),
  total_reward: AmountInput,
  duration_days: Type.Integer(),
  total_percentage: AmountInput,
  daily_limit: AmountInput,
  is_accumulation_active: Type.Boolean(),
  is_active: Type.Boolean(),
}
export const CheckPlanBody = Strict(planTerms)
export type CheckPlanBody = Static<typeof CheckPlanBody>

export const CreatePlanBody = Strict({ ...planTerms, tx_hash: Type.String({ maxLength: 100 }) })
export type CreatePlanBody = Static<typeof CreatePlanBody>

export const CheckPlanReply = Type.Object({
  message: Type.String(),
  plan_code: Type.String(),
  total_reward: AmountText,
  max_token_allowed: AmountText,
  fundings: Type.Array(
    Type.Object({
      tx_hash: Type.String(),
      amount: AmountText,
      tron_address: TronAddressText,
      funded_at: Timestamp,
    }),
    { description: 'Final fundings of this plan code, which has no plan yet; newest first.' },
  ),
})
export type CheckPlanReply = Static<typeof CheckPlanReply>

export const OpenOnChainReply = Type.Object({
  message: Type.String({
    description: 'The terms are permanently stored in the contract; the plan can be funded.',
  }),
  plan_code: Type.String(),
})
export type OpenOnChainReply = Static<typeof OpenOnChainReply>

/** Only these fields can change; the terms of a plan never do. */
export const UpdatePlanBody = Strict({
  plan_code: Type.String({ maxLength: 64 }),
  name: Type.Optional(Type.String({ maxLength: 200 })),
  daily_limit: Type.Optional(AmountInput),
  is_accumulation_active: Type.Optional(Type.Boolean()),
  is_active: Type.Optional(Type.Boolean()),
})
export type UpdatePlanBody = Static<typeof UpdatePlanBody>

export const PlanReply = Type.Object({ message: Type.String(), earning_plan: EarningPlan })
export type PlanReply = Static<typeof PlanReply>
