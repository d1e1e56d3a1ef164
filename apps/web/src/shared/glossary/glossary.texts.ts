import { defineTexts } from '../i18n/texts.ts'

export const glossaryTexts = defineTexts('glossary', {
  title: 'What the words mean',
  allWords: 'All words',
  plan: 'Plan',
  planMeaning:
    'What you join. A plan says for how many days your tokens are locked, and how much reward they earn in that time.',
  earning: 'Earning',
  earningMeaning:
    'Your share in a plan: the tokens that you locked, and the rewards that they earn.',
  cycle: 'Cycle',
  cycleMeaning:
    'One calendar day in UTC+7. For each cycle, one reward is credited to your earning.',
  reward: 'Reward',
  rewardMeaning:
    'The DCT that your earning is credited with for a cycle. You receive it by making a claim.',
  claim: 'Claim',
  claimMeaning:
    'Your request to be paid all unclaimed rewards of an earning, at least {minimum} DCT; after the last cycle, any amount. With FULL, everything is sent after the fee is paid; with HALF, one half is sent immediately and the other after the fee is paid.',
  fee: 'Fee',
  feeMeaning:
    'What a claim costs: {percentage}% of the claimed reward at the price when you claim, plus an energy fee. You pay it in USDT on BSC (BEP20).',
  freeze: 'Freeze',
  freezeMeaning:
    'After {cycles} cycles without a claim, or after more where the minimum claim takes longer, an earning is frozen. The rewards of {grace} more cycles are still credited; after that, each cycle’s reward is lost until you claim. Your locked tokens are not affected.',
  capital: 'Capital',
  capitalMeaning:
    'The tokens that you locked. They return automatically to the wallet that locked them after the plan has ended, and not earlier.',
  quota: 'Quota',
  quotaMeaning:
    'How much reward a plan can still promise, today and in total. The amount you lock uses as much quota as its total reward.',
})
