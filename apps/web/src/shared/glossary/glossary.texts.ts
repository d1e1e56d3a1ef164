import { defineTexts } from '../i18n/texts.ts'

export const glossaryTexts = defineTexts('glossary', {
  title: 'What the words mean',
  allWords: 'All words',
  wallet: 'Wallet',
  walletMeaning:
    'The app or browser extension that keeps your tokens and their keys, such as TronLink. Its address is your account here. Signing a message proves that it is yours; it costs nothing and moves nothing.',
  plan: 'Plan',
  planMeaning: 'How long your tokens are locked, and how much they earn in that time.',
  earning: 'Earning',
  earningMeaning: 'Your share in a plan: your locked tokens and their rewards.',
  cycle: 'Cycle',
  cycleMeaning: 'One calendar day in UTC+7, with one reward.',
  reward: 'Reward',
  rewardMeaning: 'The DCT credited for a cycle. A claim sends it to you.',
  claim: 'Claim',
  claimMeaning:
    'Your request to be paid all unclaimed rewards of an earning, from {minimum} DCT on; any amount after the last cycle. FULL sends everything after the fee is paid; HALF sends one half now and the other after the fee.',
  count: 'Claim count',
  countMeaning:
    'The days credited since your last claim. At {cycles} the earning freezes; with the minimum claim out of reach until later, at more.',
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
