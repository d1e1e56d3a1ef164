import type { UserSort } from '@dct/api-contract/admin'

/** The sort orders of the user list. */
export const USER_ORDERS: readonly { id: UserSort; name: string }[] = [
  { id: 'created_at', name: 'Join Date' },
  { id: 'tron_address', name: 'Tron Address' },
  { id: 'role', name: 'Role' },
  { id: 'referral_code', name: 'Referral Code' },
  { id: 'email', name: 'Email' },
  { id: 'total_referrals', name: 'Total Referrals' },
  { id: 'referral_reward_percentage', name: 'Reward %' },
  { id: 'total_direct_reward', name: 'Total Direct Reward' },
  { id: 'total_indirect_reward', name: 'Total Indirect Reward' },
  { id: 'total_direct_claimed', name: 'Total Direct Claimed' },
  { id: 'total_indirect_claimed', name: 'Total Indirect Claimed' },
  { id: 'total_direct_unclaimed', name: 'Total Direct Unclaimed' },
  { id: 'total_indirect_unclaimed', name: 'Total Indirect Unclaimed' },
  { id: 'total_referral_omset', name: 'Omset' },
]
