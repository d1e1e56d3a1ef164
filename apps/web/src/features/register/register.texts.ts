import { defineTexts } from '../../shared/i18n/texts.ts'

/** Wordings of the product, the same in every language. */
export const REGISTER_WORDING = {
  submit: 'Register Now',
  backToLogin: 'Back to login',
  notConnected: 'Wallet has not been connected!',
  emailMissing: 'Email must be filled in!',
  emailInvalid: 'Invalid email format!',
  termsMissing: 'You must accept the terms and conditions!',
  successMessage: 'Successful registration',
  succeeded: 'Successful registration!Please login.',
  callFailed: 'An error occurred during registration.',
  notRegistered: 'Failed registration!Try again later.',
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
