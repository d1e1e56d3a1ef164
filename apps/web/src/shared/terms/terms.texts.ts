import { defineTexts } from '../i18n/texts.ts'

export const termsTexts = defineTexts('terms', {
  title: 'Terms and conditions',
  version: 'Version {version}',
  versionSince: 'Version {version}, in force since {day}',
  upcoming: 'From {day} on these terms apply (version {version}):',
  loadFailed: 'The terms could not be loaded.',
  privacy: 'Privacy notice',
  privacyUpcoming: 'From {day} on this notice applies (version {version}):',
  privacyFailed: 'The privacy notice could not be loaded.',
})
