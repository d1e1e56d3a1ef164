import type { MeanName } from '@dct/api-contract/operations'

/** How what we pay with is called, as keys of the texts. */
export const MEAN_TEXTS = {
  reward_pool: 'rewardPool',
  staking: 'staking',
  operator_trx: 'operatorTrx',
  payout_usdt: 'payoutUsdt',
  payout_bnb: 'payoutBnb',
  fee_receiver_usdt: 'feeReceiver',
} as const satisfies Record<MeanName, string>

export function isMeanName(subject: string): subject is MeanName {
  return subject in MEAN_TEXTS
}
