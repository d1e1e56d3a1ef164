import type { FundName } from '@dct/api-contract/operations'

/** Text keys for the names of the funds we pay with. */
export const FUND_TEXTS = {
  reward_pool: 'rewardPool',
  staking: 'staking',
  operator_trx: 'operatorTrx',
  payout_usdt: 'payoutUsdt',
  payout_bnb: 'payoutBnb',
  fee_receiver_usdt: 'feeReceiver',
} as const satisfies Record<FundName, string>

export function isFundName(subject: string): subject is FundName {
  return subject in FUND_TEXTS
}
