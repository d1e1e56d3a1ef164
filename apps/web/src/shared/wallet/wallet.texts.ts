import { defineTexts, defineWording } from '../i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const WALLET_WORDING = defineWording('walletWording', {
  connect: 'Connect the tronlink',
  notDetected: 'Tronlink is not detected. Please install tronlink first!',
})

export const walletTexts = defineTexts('wallet', {
  searching: 'Looking for a wallet…',
  locked: '{wallet} is installed but not connected to this site.',
  connected: 'Connected with {wallet}',
  install: 'Get TronLink',
  developmentWallet: 'Use the development wallet',
  otherWallets: 'Choose or get a wallet',
  chooseTitle: 'Choose a wallet',
  chooseHint: 'A newly installed wallet is detected automatically within seconds.',
  noneFound: 'No wallet was found in this browser.',
  found: 'Found',
  get: 'Get {wallet}',
  openIn: 'Open in {wallet}',
  openInApp: 'Open this page in the TronLink app',
})
