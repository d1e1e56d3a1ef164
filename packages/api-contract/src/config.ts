import { type Static, Type } from 'typebox'
import { AmountText, Day, Nullable, OneOf, Timestamp } from './common.ts'
import { PriceText } from './pricing.ts'

/** The public facts about this installation. */
export const ConfigReply = Type.Object({
  mode: OneOf('devnet', 'live'),
  is_devnet: Type.Boolean(),
  brand: Type.String(),
  support_email: Type.String(),
  origin: Type.String(),
  business_date: Day,
  terms_version: Type.String(),
  tron: Type.Object({
    network: Type.String({ examples: ['mainnet'] }),
    chain_id: Type.Integer(),
    full_host: Type.String({ description: 'A node that browsers may use.' }),
    token: Type.String(),
    token_symbol: Type.String(),
    token_decimals: Type.Integer(),
    staking: Type.String(),
    reward_pool: Type.String(),
    explorer: Type.String(),
  }),
  bsc: Type.Object({
    network: Type.String({ examples: ['BSC (BEP20)'] }),
    chain_id: Type.Integer(),
    rpc: Type.String({ description: 'A node that browsers may use.' }),
    usdt: Type.String(),
    usdt_decimals: Type.Integer(),
    fee_receiver: Type.String(),
    payout_address: Type.String(),
    explorer: Type.String(),
  }),
  limits: Type.Object({
    join_minimum: AmountText,
    join_maximum: AmountText,
    claim_minimum: AmountText,
    page_size: Type.Integer(),
    freeze_after_cycles: Type.Integer(),
    freeze_grace_cycles: Type.Integer(),
    freeze_warnings: Type.Array(Type.Integer()),
    reservation_minutes: Type.Integer(),
    cancel_after_hours: Type.Integer(),
    claim_open_days_after_end: Type.Integer(),
    fee_open_days_after_end: Type.Integer(),
    reward_sent_within_hours: Type.Integer(),
    referral_percentage_maximum: Type.String(),
  }),
  rates: Type.Object({ claim_fee_percentage: Type.String(), direct_percentage: Type.String() }),
  price: Type.Object({
    usdt: Nullable(PriceText),
    at: Nullable(Timestamp),
    is_current: Type.Boolean(),
  }),
  energy_fee_usdt: AmountText,
  non_direct_opens_at: Timestamp,
  is_step_up_required: Type.Boolean(),
  walletconnect_project_id: Nullable(
    Type.String({ description: 'Null if WalletConnect is not offered.' }),
  ),
})
export type ConfigReply = Static<typeof ConfigReply>
