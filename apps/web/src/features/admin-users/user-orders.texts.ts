import { defineTexts } from '../../shared/i18n/texts.ts'

/** What the sort orders of the user list are called. */
export const userOrderTexts = defineTexts('userOrders', {
  created_at: 'Join Date',
  tron_address: 'Tron Address',
  role: 'Role',
  referral_code: 'Referral Code',
  email: 'Email',
  total_referrals: 'Total Referrals',
  referral_reward_percentage: 'Reward %',
  total_direct_reward: 'Total Direct Reward',
  total_indirect_reward: 'Total Indirect Reward',
  total_direct_claimed: 'Total Direct Claimed',
  total_indirect_claimed: 'Total Indirect Claimed',
  total_direct_unclaimed: 'Total Direct Unclaimed',
  total_indirect_unclaimed: 'Total Indirect Unclaimed',
  total_referral_omset: 'Omset',
})
