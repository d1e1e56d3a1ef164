import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Reason, Strict, Timestamp, TimestampInput } from './common.ts'

/** What admins may change while the service runs, besides the price. */
export const MONEY_SETTING_NAMES = [
  'energy_fee',
  'direct_rate',
  'non_direct_opens',
  'trx_price',
] as const
export type MoneySettingName = (typeof MONEY_SETTING_NAMES)[number]

/** What is set for everybody. */
export const SETTING_NAMES = ['price', ...MONEY_SETTING_NAMES] as const
export type SettingName = (typeof SETTING_NAMES)[number]
export type SettingKind = SettingName | 'referral_percentage'

/** What may need a second admin. */
export const PROPOSAL_KINDS = [...SETTING_NAMES, 'referral_percentage', 'referral_claim'] as const
export type ProposalKind = (typeof PROPOSAL_KINDS)[number]

/** What one admin has proposed and another must confirm, by sending the same. */
export const Proposal = Type.Object({
  id: Type.String({ description: 'What it is about: the kind, and a number.' }),
  kind: OneOf(...PROPOSAL_KINDS),
  tron_address: Nullable(
    Type.String({ description: 'The user of a percentage, or who made the claim.' }),
  ),
  claim: Nullable(
    Type.Object({ id: Type.String(), bonus_type: Type.String(), usdt_address: Type.String() }),
  ),
  old_value: Nullable(Type.String({ description: 'Null without one, as for a claim.' })),
  value: Type.String({ description: 'A claim’s amount in USDT; otherwise the proposed value.' }),
  proposed_by: Type.String(),
  proposed_at: Timestamp,
  expires_at: Nullable(Timestamp),
  is_mine: Type.Boolean({
    description:
      'Whether another admin has to confirm it: the caller proposed it, or made the claim.',
  }),
  can_withdraw: Type.Boolean({
    description: 'Whether the caller proposed it; every other admin can decline it.',
  }),
})
export type Proposal = Static<typeof Proposal>

export const ProposalsReply = Type.Object({ proposals: Type.Array(Proposal) })
export type ProposalsReply = Static<typeof ProposalsReply>

/** The proposal as the admin saw it: one that was made anew since then has another time. */
const SEEN = {
  id: Type.String({
    ...{ minLength: 3, maxLength: 60, pattern: '^[a-z_]+:\\d{1,18}$' },
    examples: ['price:7'],
  }),
  proposed_at: TimestampInput,
}
export const WithdrawProposalBody = Strict(SEEN)
export type WithdrawProposalBody = Static<typeof WithdrawProposalBody>
export const DeclineProposalBody = Strict({ ...SEEN, reason: Reason })
export type DeclineProposalBody = Static<typeof DeclineProposalBody>
