import { defineTexts } from '../i18n/texts.ts'

export const walletErrorTexts = defineTexts('walletError', {
  notInstalled: 'Please install tronlink first!',
  notConnected: 'TronLink is not connected. Please connect your wallet.',
  noAccount: 'Tronlink does not provide account access.Make sure you are logged in.',
  noAnswer: 'Tronlink does not respond.Make sure you have logged in on Tronlink.',
  rejected: 'You declined the request in the wallet. It was not sent.',
  cancelled:
    'You stopped waiting for the wallet. This request was not sent, and it will not be sent if you still confirm it there.',
  pending: 'Your wallet is already showing a request. Open the wallet and respond to it first.',
  locked: 'The wallet is locked. Unlock it and try again.',
  expired: 'The request was not answered in the wallet in time. Please try again.',
  gone: 'The wallet was updated in the meantime. Reload this page and try again.',
  cutOff: 'The connection to the wallet was lost. Reload this page and try again.',
  otherAccount:
    'The wallet has chosen another account. Choose the account of this page there and try again.',
  otherNetwork: 'Your wallet is on another network. Switch networks in the wallet and try again.',
  insecure:
    'This address is not secure, so the browser cannot prepare the transaction. Open this page with https, or as localhost. It was not sent.',
  tooSlow:
    'The transaction was signed too late and has expired, so it has no effect. Please try again.',
  cannotSignMessages:
    '{wallet} cannot sign the message that logs you in (Tron message V2). Update {wallet}, or use another wallet.',
  noTronAccount:
    '{wallet} has given no Tron account for this network. Update {wallet}, add a Tron account there, and try again.',
  otherKind:
    '{wallet} answered with an address that is not a Tron address. Choose a Tron account in {wallet} and try again.',
  deviceMissing: 'No Ledger device is connected. Connect it by USB, unlock it, and try again.',
  deviceClosed:
    'The Ledger device is locked, or its Tron app is not open. Unlock it, open the Tron app, and try again.',
  deviceSettings:
    'The Tron app on the Ledger device does not allow this. In its settings, switch on “Sign by Hash” and “Custom contracts”, and try again.',
  otherDevice:
    'This Ledger device does not hold the connected account. Connect the other device, or choose its account again.',
  failed: 'The wallet could not complete the request.',
})
