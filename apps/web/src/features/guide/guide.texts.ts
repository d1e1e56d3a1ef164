import { defineTexts } from '../../shared/i18n/texts.ts'

export const guideTexts = defineTexts('guide', {
  title: 'Three steps to your first reward',
  position: 'Step {step} of {count}',
  joinTitle: 'Join a plan',
  join: 'Choose a plan and an amount between {minimum} and {maximum} DCT. Your wallet locks the tokens in a contract until the day that you see before you confirm, and then they return to this same wallet. The network’s fee is paid in TRX; you see how much before you confirm.',
  claimTitle: 'Claim in time',
  claim:
    'Every day your earning is credited with a reward. You can claim from {minimum} DCT on. Claim at least every {cycles} days: otherwise the earning freezes, and rewards after {grace} more days are lost until you claim.',
  payTitle: 'Pay the fee, receive your reward',
  pay: 'A claim costs {percentage}% of its reward plus an energy fee, in USDT on BSC (BEP20), shown exactly before you confirm. With FULL you pay first and receive everything; with HALF one half is sent immediately and the other after you have paid.',
  next: 'Next step',
  back: 'Step back',
  done: 'Got it',
  skip: 'Skip the guide',
})
