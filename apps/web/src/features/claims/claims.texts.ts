import { defineTexts } from '../../shared/i18n/texts.ts'

/** Wordings of the product, the same in every language. */
export const CLAIM_WORDING = {
  full: 'Claim Full',
  half: 'Claim Half',
  confirm: 'Confirm',
  cancel: 'Cancel',
  empty: 'No reward can be claimable',
  noPlan: 'Select Earning Plan first!',
  belowMinimum: 'Minimum claim amount is 0.6 DCT!',
  succeeded: (type: string, hash: string) => `${type} Reward successfully claimed! TX: ${hash}`,
  failed: 'An error occurred during a reward claim.',
  listFailed: 'An error occurs when taking reward data.',
} as const

export const claimTexts = defineTexts('claims', {
  listFailed: 'Your claimable rewards could not be loaded.',
  claimable: 'Total claimable',
  estimatedFee: 'Estimated fee',
  feeHint: 'On BSC (BEP20), energy fee included. The most it can be.',
  confirmTitle: 'Claim {plan}: {type}',
  claimedAmount: 'You claim',
  sentNow: 'Sent at once',
  sentLater: 'Sent after the fee is paid',
  sentLaterHint: 'Within 24 hours after the payment.',
  fee: 'Fee ({percentage}% of the whole claim)',
  feeAt: '{fee} DCT at {price} USDT',
  energyFee: 'Energy fee',
  toPay: 'You pay at most',
  net: 'What is left for you',
  netHint: '{value} USDT at today’s price, less the fee',
  losing: 'This claim costs more than it brings at today’s price.',
  freezes:
    'Until the fee is paid no further claim is possible and the earning shows as frozen. Rewards go on being credited.',
  stale: 'These figures could not be refreshed. You can claim again once they are.',
  noDueDate: 'The fee has no due date.',
  cycles: 'Cycles {first} to {last}.',
  claimUntil: 'Claimable until',
  cancelLater: 'An unpaid FULL claim can be cancelled after 24 hours.',
  halfIsFinal: 'A HALF claim cannot be cancelled.',
})
