/** What lists and their screens share. Contains no schemas, so that pages can load it. */

/** The default page size. */
export const PAGE_SIZE = 10
/** The deepest page that can be asked for. */
export const LAST_PAGE = 100_000
export const MAX_SEARCH_LENGTH = 100
/** A position in a history, as a pattern. */
export const HISTORY_PLACE = '^\\d{1,14}-\\d{1,2}-\\d{1,18}$'

type Order<S extends readonly string[]> = {
  /** What the list can be sorted by; the first is the default. */
  sortable: S
  sortBy: S[0]
  sortOrder: 'asc' | 'desc'
}

const descending = <const S extends readonly [string, ...string[]]>(...sortable: S): Order<S> => ({
  sortable,
  sortBy: sortable[0],
  sortOrder: 'desc',
})
const ascending = <const S extends readonly [string, ...string[]]>(...sortable: S): Order<S> => ({
  ...descending(...sortable),
  sortOrder: 'asc',
})

const REFERRAL_REWARD_SORTS = [
  'created_at',
  'from_tron_address',
  'reward_amount',
  'reward_description',
  'earning_plan_code',
] as const
const REFERRAL_CLAIM_SORTS = [
  'bonus_type',
  'total_accumulated',
  'approve_at',
  'tx_hash_usdt',
  'usdt_address',
] as const

/** What each list can be sorted by, and its default order. */
export const LIST_ORDERS = {
  plans: descending(
    'created_at',
    'plan_code',
    'name',
    'duration_days',
    'total_reward',
    'total_percentage',
    'max_token_allowed',
    'daily_limit',
    'is_accumulation_active',
    'is_active',
  ),
  earnings: descending(
    'start_date',
    'end_date',
    'earning_plan_code',
    'tron_address',
    'total_locked_amount',
    'total_reward',
    'daily_reward',
  ),
  rewards: descending('reward_date', 'earning_plan_code', 'reward_amount'),
  allRewards: descending('reward_date', 'earning_plan_code', 'tron_address', 'locked_amount'),
  transactions: descending(
    'created_at',
    'is_active',
    'tron_address',
    'earning_plan_code',
    'trx_hash',
  ),
  claims: descending(
    'claim_date',
    'plan_code',
    'earning_plan_code',
    'tron_address',
    'claimed_amount',
    'pending_token_amount',
    'claim_type',
    'is_paid',
    'unpaid_fee_usdt',
    'trx_hash',
  ),
  pendingFees: descending(
    'claim_date',
    'earning_plan_code',
    'claim_type',
    'code_claim',
    'pending_token_amount',
    'claimed_amount',
    'unpaid_fee',
    'unpaid_fee_usdt',
    'exact_fee_usdt',
    'deadline',
    'is_paid',
  ),
  downline: ascending('level', 'tron_address', 'referral_code', 'created_at'),
  ownReferralRewards: ascending(...REFERRAL_REWARD_SORTS),
  ownReferralClaims: ascending('last_claim_date', 'created_at', ...REFERRAL_CLAIM_SORTS),
  // In the order in which they are offered.
  users: descending(
    'created_at',
    'tron_address',
    'role',
    'referral_code',
    'email',
    'total_referrals',
    'referral_reward_percentage',
    'total_direct_reward',
    'total_indirect_reward',
    'total_direct_claimed',
    'total_indirect_claimed',
    'total_direct_unclaimed',
    'total_indirect_unclaimed',
    'total_referral_omset',
  ),
  userReferrals: descending(
    'created_at',
    'level',
    'tron_address',
    'referral_code',
    'total_locked_amount',
    'total_referrals',
  ),
  userReferralRewards: descending(...REFERRAL_REWARD_SORTS),
  userReferralClaims: descending('created_at', 'last_claim_date', ...REFERRAL_CLAIM_SORTS),
  claimPool: descending(
    'created_at',
    'tron_address',
    'email',
    'total_accumulated',
    'last_claim_date',
    'approve_at',
  ),
  payouts: descending('created_at', 'amount'),
  unmatchedPayments: descending('received_at', 'amount_usdt'),
  audits: descending('started_at'),
  adminLog: descending('at'),
  moneySettings: descending('at'),
  dailyCloses: descending('day'),
  termsConsents: descending('accepted_at'),
} as const
