import { defineTexts } from '../../shared/i18n/texts.ts'

export const yourDataTexts = defineTexts('yourData', {
  title: 'Your data',
  save: 'Save everything as a file',
  saving: 'Collecting…',
  saveFailed: 'The file could not be made. Please try again.',
  manageChannels: 'Change or remove channels',
  manageSessions: 'See and end sessions',
  email: 'E-mail address',
  emailText: 'You gave {email} when you registered. It is used for support only.',
  emailRemove: 'Remove the e-mail address',
  emailKeep: 'Keep it',
  emailFailed: 'The e-mail address could not be removed.',
  close: 'Close the account',
  closeText:
    'After your plans have ended. E-mail, channels, devices and sessions are removed; the books keep address and amounts. Your wallet can log in again.',
  closeConfirm: 'Remove my data and log out',
  keep: 'Keep the account',
  closeFailed: 'The account could not be closed.',
})
