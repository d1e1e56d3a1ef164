import { type Static, Type } from 'typebox'
import { AmountText, Day, Nullable, OneOf, Strict, Timestamp } from './common.ts'

/** DCT of one plan or of all. `owed` is the sum of what is promised, credited, awaiting a fee and awaiting payout. */
export const DctPosition = Type.Object({
  promised: AmountText,
  credited: Type.String({ description: 'Credited to holders and claimable.' }),
  awaiting_fee: AmountText,
  awaiting_payout: AmountText,
  owed: AmountText,
  lapsed: AmountText,
  free: Type.String({ description: 'Funded and not promised to anybody.' }),
  pool_booked: Type.String({ description: 'The booked balance of the reward pool.' }),
  paid: Type.String({ description: 'Rewards that holders were ever paid.' }),
  funded: Type.String({
    description: 'What was ever funded and not withdrawn: paid, or in the pool.',
  }),
})
export type DctPosition = Static<typeof DctPosition>

/** USDT. `owed` is the sum of the four above it. */
export const UsdtPosition = Type.Object({
  referral_unclaimed: AmountText,
  referral_requested: Type.String({ description: 'Claimed and not approved yet.' }),
  awaiting_payout: AmountText,
  unmatched: Type.String({ description: 'Received, but matches no fee.' }),
  owed: AmountText,
  payout_wallet_booked: AmountText,
  fee_receiver_booked: AmountText,
})
export type UsdtPosition = Static<typeof UsdtPosition>

export const FUND_NAMES = [
  'reward_pool',
  'staking',
  'operator_trx',
  'payout_usdt',
  'payout_bnb',
  'fee_receiver_usdt',
] as const
export type FundName = (typeof FUND_NAMES)[number]

export const FUND_ASSETS = {
  reward_pool: 'DCT',
  staking: 'DCT',
  operator_trx: 'TRX',
  payout_usdt: 'USDT',
  payout_bnb: 'BNB',
  fee_receiver_usdt: 'USDT',
} as const satisfies Record<FundName, string>

/** The balance of one of our contracts or wallets, as a node last reported it. */
export const Fund = Type.Object({
  name: OneOf(...FUND_NAMES),
  asset: OneOf('DCT', 'TRX', 'USDT', 'BNB'),
  amount: Nullable(AmountText),
  read_at: Nullable(Timestamp),
  is_stale: Type.Boolean({ description: 'No node has answered for a while, or none ever has.' }),
  lasts_days: Nullable(
    Type.Integer({ description: 'At the rate of the last week; null if it did not decrease.' }),
  ),
})
export type Fund = Static<typeof Fund>

export const MONEY_WARNINGS = [
  'FUNDS_UNKNOWN',
  'POOL_SHORT',
  'PLAN_NEARLY_FULL',
  'WALLET_SHORT_NOW',
  'WALLET_SHORT_LATER',
  'TRX_LOW',
  'BNB_LOW',
  'RUNS_DRY',
  'ENERGY_FEE_LOW',
] as const
export type MoneyWarningCode = (typeof MONEY_WARNINGS)[number]

/**
 * A warning about a balance that is running out, costs that are too high, or an unknown figure. `subject` is a plan's
 * code or the name of a reading.
 */
export const MoneyWarning = Type.Object({
  code: OneOf(...MONEY_WARNINGS),
  severity: OneOf('warn', 'bad'),
  subject: Type.String(),
  there: Nullable(AmountText),
  needed: Nullable(AmountText),
  days: Nullable(Type.Integer()),
})
export type MoneyWarning = Static<typeof MoneyWarning>

const Spent = Type.Object({
  count: Type.Integer({ description: 'The number that succeeded.' }),
  spent: Type.String({ description: 'The cost of all attempts, in TRX on Tron and BNB on BSC.' }),
})

/** The cost of recent transactions according to their receipts, and the income from the energy fee. */
export const PayoutCosts = Type.Object({
  days: Type.Integer(),
  reward_payouts: Type.Intersect([
    Spent,
    Type.Object({
      each: Nullable(Type.String({ description: 'TRX on average; null without payouts.' })),
      each_usdt: Nullable(AmountText),
    }),
  ]),
  operator_calls: Spent,
  referral_payouts: Spent,
  trx_price: Type.String({ description: 'USDT for one TRX: a setting, not a market price.' }),
  energy_fee: Type.String({ description: 'USDT; part of each new fee.' }),
  energy_fees: Type.Object({ count: Type.Integer(), brought: AmountText }),
})
export type PayoutCosts = Static<typeof PayoutCosts>

/** What is owed and the funds to pay it. */
export const MoneyReply = Type.Object({
  dct: Type.Object({
    total: DctPosition,
    plans: Type.Array(
      Type.Intersect([
        Type.Object({
          plan_code: Type.String(),
          pool_on_chain: Nullable(AmountText),
        }),
        DctPosition,
      ]),
    ),
  }),
  usdt: UsdtPosition,
  funds: Type.Array(Fund),
  costs: PayoutCosts,
  warnings: Type.Array(MoneyWarning),
})
export type MoneyReply = Static<typeof MoneyReply>

/** `plan_code` narrows the DCT figures to one plan. */
export const MoneyHistoryQuery = Strict({
  days: Type.Integer({ minimum: 7, maximum: 730, default: 30 }),
  plan_code: Type.Optional(Type.String({ maxLength: 32 })),
})
export type MoneyHistoryQuery = Static<typeof MoneyHistoryQuery>

/**
 * The figures recorded at the beginning of a business day, then those of what moved from there to the next record (or to
 * now): capital locked, rewards paid, fees received, referrers paid. Null if unknown. Days without a record are left out.
 */
export const MoneyDay = Type.Object({
  day: Day,
  dct_owed: Nullable(AmountText),
  dct_pool: Nullable(AmountText),
  usdt_owed: Nullable(AmountText),
  usdt_wallet: Nullable(AmountText),
  trx: Nullable(AmountText),
  bnb: Nullable(AmountText),
  dct_locked: Nullable(AmountText),
  dct_paid: Nullable(AmountText),
  usdt_fees: Nullable(AmountText),
  usdt_paid: Nullable(AmountText),
})
export type MoneyDay = Static<typeof MoneyDay>
export const MoneyHistoryReply = Type.Object({ days: Type.Array(MoneyDay) })
export type MoneyHistoryReply = Static<typeof MoneyHistoryReply>

export const ChainHealth = Type.Object({
  chain: OneOf('TRON', 'BSC'),
  block: Type.Integer(),
  final_block: Type.Integer(),
  head_block: Type.Integer(),
  blocks_behind: Type.Integer({ description: 'Final blocks that are not booked yet.' }),
  block_at: Timestamp,
  looked_at: Timestamp,
  seconds_since_look: Type.Integer(),
  is_halted: Type.Boolean(),
})
export type ChainHealth = Static<typeof ChainHealth>

export const LoopHealth = Type.Object({
  host: Type.String(),
  name: Type.String(),
  is_idle: Type.Boolean(),
  failures: Type.Integer({ description: 'Consecutive failures.' }),
  last_error: Nullable(Type.String()),
  reported_at: Timestamp,
  is_silent: Type.Boolean({ description: 'Its process has not reported for a while.' }),
})
export type LoopHealth = Static<typeof LoopHealth>

export const JobHealth = Type.Object({
  queue: Type.String(),
  waiting: Type.Integer(),
  due: Type.Integer(),
  next_at: Nullable(Timestamp),
  attempts: Type.Integer({ description: 'The highest number of failures of one job.' }),
  last_error: Nullable(Type.String()),
})
export type JobHealth = Static<typeof JobHealth>

/** The state of the chain watchers, loops and job queues of all processes. */
export const ServiceHealthReply = Type.Object({
  chains: Type.Array(ChainHealth),
  loops: Type.Array(LoopHealth),
  jobs: Type.Array(JobHealth),
})
export type ServiceHealthReply = Static<typeof ServiceHealthReply>
