import { defineTexts, defineWording } from '../i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const WALLET_WORDING = defineWording('walletWording', {
  connect: 'Connect the tronlink',
  notDetected: 'Tronlink is not detected. Please install tronlink first!',
})

export const walletTexts = defineTexts('wallet', {
  searching: 'Looking for a wallet…',
  locked: '{wallet} is not connected yet.',
  lockedRemote: '{wallet} is not connected.',
  connected: 'Connected with {wallet}',
  install: 'Get TronLink',
  developmentWallet: 'Use the development wallet',
  otherWallets: 'Other wallets',
  otherWallet: 'Use another wallet',
  chooseTitle: 'Choose a wallet',
  chooseHint: 'A newly installed wallet is detected automatically within seconds.',
  noneFound: 'No wallet was found in this browser.',
  found: 'Found',
  byCode: 'Scan a code',
  byUsb: 'USB device',
  connecting: 'Connecting…',
  wait: 'Answer in {wallet}. If it shows nothing, open it yourself, or cancel and try again. After an update of {wallet}, reload this page.',
  waitRemote:
    'Answer in {wallet}. If it shows nothing, check that it is open and online, or cancel and try again.',
  cancelWait: 'Stop waiting',
  accountsTitle: 'Choose an account',
  accountsHint: 'Your wallet shares several accounts. Choose the one to use here.',
  backToWallets: 'Choose another wallet',
  scanTitle: 'Scan with your wallet',
  scanLabel: 'Code for your wallet',
  scanHint:
    'Scan the code with a wallet that supports WalletConnect and Tron, and approve there. Keep the wallet open until you have logged in.',
  scanOpen: 'Open a wallet on this device',
  deviceTitle: 'Connect your Ledger',
  devicePlug: 'Connect the device by USB and unlock it.',
  deviceOpen: 'Open the Tron app on the device.',
  deviceAllow:
    'In the settings of that app, switch on “Sign by Hash” and “Custom contracts”: the device needs them for the login message and for locks.',
  deviceFind: 'Find my accounts',
  deviceReading: 'Reading from the device…',
  deviceChoose: 'Choose the account to use.',
  deviceMore: 'Show more accounts',
  get: 'Get {wallet}',
  getShort: 'Get',
  openIn: 'Open in {wallet}',
  openShort: 'Open',
  openInApp: 'Open this page in the TronLink app',
})
