import { defineTexts } from '../i18n/texts.ts'

/** Wordings of the product, the same in every language. */
export const WALLET_WORDING = {
  connect: 'Connect the tronlink',
  notDetected: 'Tronlink is not detected. Please install tronlink first!',
} as const

export const walletTexts = defineTexts('wallet', {
  searching: 'Looking for a wallet…',
  locked: '{wallet} is here but not connected to this site.',
  connected: 'Connected with {wallet}',
  whichWallet: 'Which wallet?',
  install: 'Get TronLink',
  developmentWallet: 'Use the development wallet',
  openInApp: 'Open this page in the TronLink app',
})
