import { type Static, type TSchema, Type } from 'typebox'
import { AmountText, Nullable, OneOf, Timestamp } from './common.ts'

const moneyIn = <const A extends string>(...assets: A[]) =>
  Type.Object({ asset: OneOf(...assets), amount: AmountText })
const Text = Type.String({ minLength: 1 })
const Holder = Type.String({ description: 'The Tron address of the holder.' })
const TxHash = Type.String({ pattern: '^0x[0-9a-f]{64}$' })

const ReferralClaimEvent = Type.Object({
  claim_id: Text,
  holder: Nullable(Holder),
  bonus_type: OneOf('direct', 'indirect'),
  amount: moneyIn('USDT'),
  usdt_address: Type.String({ description: 'The BSC address that is paid.' }),
})

/** The data of each business event that webhooks receive, by its type. Add fields, never rename or remove one. */
export const EVENTS = {
  'stake.joined': Type.Object({
    stake_id: Text,
    holder: Holder,
    plan_code: Text,
    amount: moneyIn('DCT'),
    reward: moneyIn('DCT'),
    starts_at: Timestamp,
    ends_at: Timestamp,
    tx_hash: TxHash,
  }),
  'claim.made': Type.Object({
    claim_code: Text,
    holder: Holder,
    plan_code: Text,
    claim_type: Text,
    pay_now: moneyIn('DCT'),
    pay_after_fee: moneyIn('DCT'),
    fee: moneyIn('USDT'),
  }),
  'fee.paid': Type.Object({
    claim_code: Text,
    holder: Holder,
    plan_code: Text,
    amount: moneyIn('USDT'),
    tx_hash: TxHash,
  }),
  'payout.sent': Type.Object({
    payout_id: Text,
    chain: OneOf('TRON', 'BSC'),
    to: Type.String({ description: 'The address that was paid.' }),
    amount: moneyIn('DCT', 'USDT'),
    tx_hash: TxHash,
  }),
  'referral_claim.made': ReferralClaimEvent,
  'referral_claim.approved': ReferralClaimEvent,
  'referral_claim.paid': Type.Intersect([ReferralClaimEvent, Type.Object({ tx_hash: TxHash })]),
} as const satisfies Record<string, TSchema>

export type EventType = keyof typeof EVENTS
export type EventData<T extends EventType> = Static<(typeof EVENTS)[T]>
