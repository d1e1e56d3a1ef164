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
  listFailed: 'Your claimable rewards could not be loaded.',
  claimable: 'Total claimable',
  estimatedFee: 'Estimated fee',
  feeHint: 'Maximum amount on BSC (BEP20), including the energy fee.',
  confirmTitle: 'Claim {plan}: {type}',
  claimedAmount: 'You claim',
  sentNow: 'Sent immediately',
  sentLater: 'Sent after the fee is paid',
  sentLaterHint: 'Within 24 hours of the payment.',
  fee: 'Fee ({percentage}% of the whole claim)',
  feeAt: '{fee} DCT at {price} USDT',
  energyFee: 'Energy fee',
  rounding: 'Rounding and this fee’s own digits, at most',
  roundingHint: 'The last digits tell whose fee a payment is.',
  toPay: 'You pay at most',
  net: 'What remains, in value',
  netHint: 'You receive DCT, worth {value} USDT at today’s price; minus the fee',
  losing: 'At today’s price, this claim costs more than it is worth.',
  freezes: 'Until the fee is paid, you cannot claim again and the earning is shown as frozen.',
  stale: 'These figures could not be refreshed. You can claim again once they are up to date.',
  payBefore:
    'Pay the fee before {day}: from that day on, each cycle’s reward is lost until you pay and claim again. After {until} the fee is no longer accepted, and what waits for it is lost.',
  payUntil:
    'Pay the fee by {until}. After that it is no longer accepted, and what waits for it is lost.',
  cycles: 'Cycles {first} to {last}.',
  from: 'A claim is possible from {day}: then the minimum of {minimum} DCT is reached.',
  choiceNothingNow: 'Now: nothing is sent.',
  choiceNow: 'Now: {amount} DCT.',
  choiceLater: 'After you pay the fee, which is the same for both: {amount} DCT.',
  choiceCancel: 'While unpaid, it can be cancelled after {hours} hours.',
  choiceFinal: 'It cannot be cancelled.',
  inTime:
    'To lose no reward, claim before the day that “My Earnings” shows. The last moment for any claim is {until}.',
  askKinds: 'FULL or HALF?',
  askFee: 'Why is there a fee in USDT?',
  cancelLater: 'An unpaid {type} claim can be cancelled after {hours} hours.',
  notCancellable: 'A {type} claim cannot be cancelled.',
})
