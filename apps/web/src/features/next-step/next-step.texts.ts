import { defineTexts } from '../../shared/i18n/texts.ts'

export const nextStepTexts = defineTexts('nextStep', {
  label: 'Next step',
  payFee: 'Pay the fee of your claim on {plan}: {amount} USDT on BSC (BEP20).',
  payFees: '{count} claim fees are waiting. The oldest: {plan}, {amount} USDT on BSC (BEP20).',
  toFees: 'To the fee',
  claimSoon:
    'Claim on {plan} within {cycles, plural, one {# cycle} other {# cycles}}, or it freezes.',
  claimNow: '{plan} is frozen until you claim.',
  toClaim: 'To the claim',
  join: 'You follow no plan yet. Join one to earn a reward every day.',
  toJoin: 'See the plans',
})
