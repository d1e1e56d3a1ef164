import type { UserSort } from '@dct/api-contract/admin'

/** The sort orders of the user list. */
export const USER_ORDERS: readonly UserSort[] = [
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
]
