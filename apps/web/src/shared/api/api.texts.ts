import { defineTexts } from '../i18n/texts.ts'

export const apiTexts = defineTexts('api', {
  offline: 'You are offline.',
  offlineUnsent: 'You are offline. This request was not sent.',
  noAnswer:
    'The service did not respond in time. Check whether your request went through before you try again.',
})
