import { defineTexts } from '../../shared/i18n/texts.ts'

/** Wordings of the product, the same in every language. */
export const OVERVIEW_WORDING = {
  copyLink: 'Copy Link',
  copyCode: 'Copy Referral Code',
  noCode: 'Referral code is not available.',
  balancesFailed: 'Failed to retrieve balances.',
} as const

export const overviewTexts = defineTexts('overview', {
  welcome: 'Welcome, {address}',
  balances: 'In your wallet',
  tokenBalance: 'Token',
  trxBalance: 'TRX',
  plans: 'In your plans',
  locked: 'Locked',
  claimable: 'Claimable',
  balancesNoWallet: 'Connect your wallet to see what it holds.',
  balancesFailed: 'The balances could not be read.',
  otherWallet: 'Your wallet is set to {wallet}, but you are logged in as {user}.',
  retry: 'Try again',
  referral: 'Your referral link',
  referralHint:
    'People who register with it are your downline: you earn a share of the fees they pay.',
  referralCode: 'Referral code',
})
