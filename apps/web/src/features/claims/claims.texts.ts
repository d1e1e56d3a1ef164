import { CLAIMS_ERRORS } from '@dct/api-contract/errors/claims'
import { EARNINGS_ERRORS } from '@dct/api-contract/errors/earnings'
import { defineRefusals } from '../../shared/i18n/refusals.ts'
import { defineTexts, defineWording } from '../../shared/i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const CLAIM_WORDING = defineWording('claimsWording', {
  FULL: 'Claim Full',
  HALF: 'Claim Half',
  confirm: 'Confirm',
  cancel: 'Cancel',
  failed: 'An error occurred during a reward claim.',
  listFailed: 'An error occurs when taking reward data.',
})

/** What the service would answer; shown before asking it. */
export const CLAIM_REFUSALS = defineRefusals(
  { ...EARNINGS_ERRORS, ...CLAIMS_ERRORS },
  {
    empty: 'NOTHING_TO_CLAIM',
    noPlan: 'PLAN_NOT_SELECTED',
    belowMinimum: 'BELOW_MINIMUM_CLAIM',
  },
)

export const claimTexts = defineTexts('claims', {
  succeeded: '{type} Reward successfully claimed! TX: {hash}',
  remade:
    'You had already paid {paid} USDT for {amount} DCT of it: they are sent without another fee.',
  listFailed: 'Your claimable rewards could not be loaded.',
  claimable: 'Total claimable',
  lastDay: 'Last day to claim',
  why: 'Why?',
  exactly: 'exactly {amount}',
  estimatedFee: 'Estimated fee',
  confirmTitle: 'Claim {plan}: {type}',
  claimedAmount: 'You claim',
  sentNow: 'Sent immediately',
  sentLater: 'Sent after the fee is paid',
  fee: 'Fee ({percentage}% of the whole claim)',
  feeAt: '{fee} DCT at {price} USDT',
  energyFee: 'Energy fee',
  rounding: 'Rounding and this fee’s own digits, at most',
  toPay: 'You pay at most',
  net: 'You keep, in value',
  netHint: 'The DCT are worth {value} USDT at today’s price.',
  losing: 'At today’s price, this claim costs more than it is worth.',
  stale: 'These figures could not be refreshed. Claim once they are up to date.',
  payBefore: 'Pay by {day}, or later rewards are lost.',
  payUntil: 'Pay by {day}, or the waiting reward is lost.',
  from: 'A claim is possible from {day}, with the minimum of {minimum} DCT.',
  choiceNow: 'Now',
  choiceLater: 'After the fee',
  choiceCancel: 'Can be cancelled after {hours} hours.',
  choiceFinal: 'Cannot be cancelled.',
})
