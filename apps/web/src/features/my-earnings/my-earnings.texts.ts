import { defineTexts } from '../../shared/i18n/texts.ts'

/** Wordings of the product, the same in every language. */
export const EARNINGS_WORDING = {
  claimCapital: 'Claim Capital',
  claimCapitalFailed: 'Failed to request claim capital.',
  distributionHistory: 'Reward Distribution History',
  claimHistory: 'Reward Claim History',
  historyFailed: 'There was a mistake when taking a history.',
  listFailed: 'An error occurs when loading data.',
} as const

export const earningsTexts = defineTexts('earnings', {
  noEarnings: 'You follow no plan yet. Your locked tokens and their rewards will be shown here.',
  listFailed: 'Your earnings could not be loaded.',
  runningAmount: 'Running amount',
  progress: 'Reward progress',
  ongoingReward: 'Ongoing reward',
  claimableReward: 'Claimable reward',
  claimCount: 'Claim count',
  claimCountHint: 'Cycles since your last claim',
  period: 'From – to',
  capitalRequested: 'Your capital is on its way back to your wallet.',
  freezeSoon: 'Claim before {day}, or this earning freezes.',
  frozenByFee: 'Frozen until the fee of your last claim is paid. Rewards go on being credited.',
  frozenUnclaimed: 'Frozen because {limit} cycles went by without a claim.',
  lapsesFrom: 'From {day} on, cycles without a claim are lost.',
  lapsed: 'Lapsed',
  lapsedCycle: '{amount} DCT lapsed: not claimed in time',
  expired: '{amount} DCT were not claimed until {day} and are lost.',
  cycle: 'cycle {cycle}',
  capitalDue: 'The lock is over. Your capital returns by itself; the button asks for it sooner.',
  capitalReturned: 'Returned to your wallet:',
  earlyClaimed: 'Claimed early (HALF)',
  historySearch: 'Search the history',
  date: 'Date',
  planCode: 'Plan Code',
  amount: 'Amount',
  transactionHash: 'Transaction Hash',
  awaitingFee: 'Waits for its fee',
  paid: 'Paid',
  cancelled: 'Cancelled',
  noHistory: 'Nothing has happened here yet.',
})
