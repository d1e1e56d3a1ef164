import { defineTexts } from '../../shared/i18n/texts.ts'

export const nextStepTexts = defineTexts('nextStep', {
  label: 'Next step',
  firstSteps: 'Three steps to your first reward',
  joinStep: 'Join a plan',
  claimStep: 'Claim',
  payStep: 'Pay the fee',
  stepDone: '(done)',
  claimSoon:
    'Claim on {plan} within {cycles, plural, one {# cycle} other {# cycles}}, or your earning freezes.',
  claimFrom: 'On {plan} a claim is possible from {from}. Claim by {until}.',
  claimReady: '{amount} DCT can be claimed.',
  claimReadyBy: 'Claim {amount} DCT by {day}.',
  claimNow: 'Your earning on {plan} is frozen until you claim.',
  locked: '{amount} DCT locked. First reward: {day}.',
  toClaim: 'Go to the claim',
  join: 'Lock tokens, and earn every day.',
  toJoin: 'See the plans',
})
