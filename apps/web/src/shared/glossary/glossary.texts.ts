import { defineTexts } from '../i18n/texts.ts'

export const glossaryTexts = defineTexts('glossary', {
  title: 'What the words mean',
  allWords: 'All words',
  wallet: 'Wallet',
  walletMeaning:
    'The app or browser extension that keeps your tokens and the keys to them, such as TronLink. Its address is your account here. When you sign a message, it proves that the address is yours; that costs nothing and moves nothing.',
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
  energy: 'Energy',
  energyMeaning:
    'What the Tron network asks for every transaction. For your own, such as a lock, your wallet pays in TRX. For sending you a reward, we pay; the energy fee in USDT is for that.',
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
