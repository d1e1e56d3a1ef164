import { AUTH_ERRORS } from '@dct/api-contract/errors/auth'
import { defineRefusals } from '../../shared/i18n/refusals.ts'
import { defineTexts, defineWording } from '../../shared/i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const REGISTER_WORDING = defineWording('registerWording', {
  submit: 'Register Now',
  backToLogin: 'Back to login',
  notConnected: 'Wallet has not been connected!',
  succeeded: 'Successful registration!Please login.',
  callFailed: 'An error occurred during registration.',
  notRegistered: 'Failed registration!Try again later.',
})

/** What the service would answer; shown before asking it. */
export const REGISTER_REFUSALS = defineRefusals(AUTH_ERRORS, {
  missing: 'EMAIL_REQUIRED',
  several: 'EMAIL_SEVERAL',
  invalid: 'EMAIL_INVALID',
  termsMissing: 'TERMS_NOT_ACCEPTED',
})

export const registerTexts = defineTexts('register', {
  title: 'Register',
  lead: 'Signing is free.',
  wallet: 'Wallet address',
  email: 'E-mail',
  emailHint: 'For support and for messages.',
  privacy: 'Privacy',
  referralCode: 'Referral code (optional)',
  damagedLink:
    'The referral code in this link is incomplete. Ask for the link again, or enter the code here.',
  damagedLinkKept:
    'The referral code in this link is incomplete. The code of your earlier link is filled in.',
  acceptTerms: 'I accept the terms and conditions',
  readTerms: 'Read the terms and conditions',
  done: 'Done',
  signing: 'Waiting for your wallet…',
  doneTitle: 'You are registered',
  ownCode: 'Your referral code',
  copyCode: 'Copy your referral code',
  referrer: 'Your referrer',
  goingToLogin: 'The login page opens in {seconds} seconds.',
})
