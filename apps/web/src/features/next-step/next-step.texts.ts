import { defineTexts } from '../../shared/i18n/texts.ts'

export const nextStepTexts = defineTexts('nextStep', {
  label: 'Next step',
  payFee: 'Pay the fee for your claim on {plan}: {amount} USDT on BSC (BEP20).',
  payFees: '{count} claim fees are unpaid. The oldest is for {plan}: {amount} USDT on BSC (BEP20).',
  toFees: 'Go to the fee',
  claimSoon:
    'Claim on {plan} within {cycles, plural, one {# cycle} other {# cycles}}, or your earning will be frozen.',
  claimFrom: 'On {plan} a claim is possible from {from}. Claim before {until}.',
  claimReady: 'You can claim {amount} DCT on {plan}.',
  claimReadyBefore: 'You can claim {amount} DCT on {plan}. Claim before {before}.',
  claimNow: 'Your earning on {plan} is frozen until you claim.',
  toClaim: 'Go to the claim',
  join: 'You have not joined a plan yet. Join one to earn a reward every day.',
  toJoin: 'See the plans',
})
