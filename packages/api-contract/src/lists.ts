/** What lists and their screens share. Contains no schemas, so that pages can load it. */

/** The default page size. */
export const PAGE_SIZE = 10

type Order<S extends string> = { sortBy: S; sortOrder: 'asc' | 'desc' }

const descending = <const S extends string>(sortBy: S) =>
  ({ sortBy, sortOrder: 'desc' }) satisfies Order<S>
const ascending = <const S extends string>(sortBy: S) =>
  ({ sortBy, sortOrder: 'asc' }) satisfies Order<S>

/** The default order of each list. */
export const LIST_ORDERS = {
  plans: descending('created_at'),
  earnings: descending('start_date'),
  rewards: descending('reward_date'),
  transactions: descending('created_at'),
  claims: descending('claim_date'),
  pendingFees: descending('claim_date'),
  downline: ascending('level'),
  ownReferralRewards: ascending('created_at'),
  ownReferralClaims: ascending('last_claim_date'),
  users: descending('created_at'),
  userReferrals: descending('created_at'),
  userReferralRewards: descending('created_at'),
  userReferralClaims: descending('created_at'),
  claimPool: descending('created_at'),
  payouts: descending('created_at'),
  unmatchedPayments: descending('received_at'),
  audits: descending('started_at'),
  adminLog: descending('at'),
  prices: descending('at'),
  dailyCloses: descending('day'),
  termsConsents: descending('accepted_at'),
} as const

/** The fields that the list of users can be sorted by, in the order in which they are offered. */
export const USER_SORTS = [
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
] as const
export type UserSort = (typeof USER_SORTS)[number]
