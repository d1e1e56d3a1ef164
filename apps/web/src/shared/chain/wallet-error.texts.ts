import { defineTexts } from '../i18n/texts.ts'

export const walletErrorTexts = defineTexts('walletError', {
  notInstalled: 'Please install tronlink first!',
  notConnected: 'TronLink is not connected. Please connect your wallet.',
  noAccount: 'Tronlink does not provide account access.Make sure you are logged in.',
  noAnswer: 'Tronlink does not respond.Make sure you have logged in on Tronlink.',
  rejected: 'You declined the request in the wallet. Nothing was sent.',
  pending: 'Your wallet is already showing a request. Open the wallet and respond to it first.',
  otherNetwork: 'Your wallet is on another network. Switch networks in the wallet and try again.',
  failed: 'The wallet could not complete the request.',
})
