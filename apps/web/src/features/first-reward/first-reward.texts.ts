import { defineTexts } from '../../shared/i18n/texts.ts'

export const firstRewardTexts = defineTexts('firstReward', {
  title: 'Your first reward',
  sent: '{amount} DCT arrived in your wallet.',
  close: 'Close',
})
