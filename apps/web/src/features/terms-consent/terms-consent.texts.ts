import { defineTexts } from '../../shared/i18n/texts.ts'

export const consentTexts = defineTexts('termsConsent', {
  title: 'The terms have changed',
  why: 'To continue, please read the terms that are now in force and accept them. Until you do, you can still see all your data and get your locked tokens back.',
  accept: 'I have read the terms and conditions and accept them',
  send: 'Accept and continue',
  sending: 'Sending…',
  later: 'Not now',
  failed: 'Your consent could not be recorded. Please try again.',
})
