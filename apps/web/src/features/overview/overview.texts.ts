import { defineTexts, defineWording } from '../../shared/i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const OVERVIEW_WORDING = defineWording('overviewWording', {
  earnings: 'My Earnings',
  join: 'Join Earning Plan',
  claim: 'Claim Reward',
  copyLink: 'Copy Link',
  copyCode: 'Copy Referral Code',
  noCode: 'Referral code is not available.',
  balancesFailed: 'Failed to retrieve balances.',
})

export const overviewTexts = defineTexts('overview', {
  welcome: 'Welcome, {address}',
  balances: 'In your wallet',
  tokenBalance: 'Token',
  trxBalance: 'TRX',
  plans: 'In your plans',
  connect: 'Connect your wallet',
  balancesFailed: 'The balances could not be read.',
  otherWallet: 'Your wallet is set to {wallet}, but you are logged in as {user}.',
  retry: 'Try again',
  referral: 'Your referral link',
  failed: 'Your figures could not be loaded.',
})
