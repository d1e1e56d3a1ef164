import { defineTexts } from '../../shared/i18n/texts.ts'

export const yourDataTexts = defineTexts('yourData', {
  title: 'Your data',
  save: 'Save everything as a file',
  saving: 'Collecting…',
  saveFailed: 'The file could not be made. Please try again.',
  stored: 'What is stored, and why',
  address: 'Wallet address, locks, claims, payments',
  addressWhy: 'The books. Most of it is on public blockchains. Kept for good.',
  email: 'E-mail address',
  emailWhy: 'Support, and messages that you choose. Until you remove it or close the account.',
  channels: 'Telegram chat, push subscriptions of browsers',
  channelsWhy: 'Messages that you choose. Until you remove them.',
  devices: 'Sessions and devices: browser name, network, times',
  devicesWhy:
    'To show you where you are logged in, and to warn you of a new device. Until the session ends.',
  terms: 'Which terms you accepted, and when',
  termsWhy: 'Proof of the agreement. Kept with the books.',
  notShared:
    'Nothing is sold, and no analytics or third-party script runs on these pages. Support: {email}',
  manageChannels: 'Change or remove channels',
  manageSessions: 'See and end sessions',
  close: 'Close the account',
  closeText:
    'After your plans have ended. E-mail, channels, devices and sessions are removed; the books keep address and amounts. Your wallet can log in again.',
  closeConfirm: 'Remove my data and log out',
  keep: 'Keep the account',
  closeFailed: 'The account could not be closed.',
})
