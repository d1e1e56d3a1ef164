import { AUTH_ERRORS } from '@dct/api-contract/errors/auth'
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

/** What the service would answer; shown before asking it, and like its answers in English. */
export const REGISTER_REFUSALS = {
  emailMissing: AUTH_ERRORS.EMAIL_REQUIRED.message,
  emailInvalid: AUTH_ERRORS.EMAIL_INVALID.message,
  termsMissing: AUTH_ERRORS.TERMS_NOT_ACCEPTED.message,
} as const

export const registerTexts = defineTexts('register', {
  title: 'Register',
  lead: 'One account for each wallet. Your wallet signs the registration; nothing is sent on chain.',
  wallet: 'Wallet address',
  email: 'E-mail',
  emailHint: 'For support only. Everything else happens with your wallet.',
  referralCode: 'Referral code (optional)',
  acceptTerms: 'I accept the terms and conditions',
  readTerms: 'Read the terms and conditions',
  termsTitle: 'Terms and conditions',
  termsVersion: 'Version {version}',
  done: 'Done',
  signing: 'Waiting for your wallet…',
  doneTitle: 'You are registered',
  ownCode: 'Your referral code',
  copyCode: 'Copy your referral code',
  referrer: 'Your referrer',
  noReferrer: 'None',
  goingToLogin: 'You will be taken to the login.',
})
