import { CLAIMS_ERRORS } from '@dct/api-contract/errors/claims'
import { EARNINGS_ERRORS } from '@dct/api-contract/errors/earnings'
import { defineTexts, defineWording } from '../../shared/i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const CLAIM_WORDING = defineWording('claimsWording', {
  full: 'Claim Full',
  half: 'Claim Half',
  confirm: 'Confirm',
  cancel: 'Cancel',
  failed: 'An error occurred during a reward claim.',
  listFailed: 'An error occurs when taking reward data.',
})

/** What the service would answer; shown before asking it, and like its answers in English. */
export const CLAIM_REFUSALS = {
  empty: EARNINGS_ERRORS.NOTHING_TO_CLAIM.message,
  noPlan: CLAIMS_ERRORS.PLAN_NOT_SELECTED.message,
  belowMinimum: CLAIMS_ERRORS.BELOW_MINIMUM_CLAIM.message,
} as const

export const claimTexts = defineTexts('claims', {
  succeeded: '{type} Reward successfully claimed! TX: {hash}',
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
    'Until the fee is paid no further claim is possible and the earning shows as frozen. Rewards are still credited.',
  freezesEnded:
    'Until the fee is paid no further claim is possible and the earning shows as frozen.',
  stale: 'These figures could not be refreshed. You can claim again once they are.',
  noDueDate: 'The fee has no due date.',
  cycles: 'Cycles {first} to {last}.',
  claimUntil: 'Claimable until',
  cancelLater: 'An unpaid FULL claim can be cancelled after {hours} hours.',
  halfIsFinal: 'A HALF claim cannot be cancelled.',
})
