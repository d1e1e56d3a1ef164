import { defineTexts } from '../i18n/texts.ts'

export const apiTexts = defineTexts('api', {
  offline: 'You are offline.',
  offlineUnsent: 'You are offline. This request was not sent.',
  noAnswer: 'The service did not answer in time. Check whether it was done before you try again.',
})
