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
  lead: 'Each wallet has one account. You register by signing a message with your wallet; nothing is sent on chain.',
  wallet: 'Wallet address',
  email: 'E-mail',
  emailHint:
    'For support, and for messages about your rewards once you confirm it. Never for logging in: that is done with your wallet.',
  referralCode: 'Referral code (optional)',
  referralCodeHint:
    'From whoever invited you. They get a share of the fees that you pay; you do not pay more because of it.',
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
  ownCodeHint: 'For those whom you invite: you get a share of the fees that they pay.',
  copyCode: 'Copy your referral code',
  referrer: 'Your referrer',
  noReferrer: 'None',
  goingToLogin: 'In {seconds} seconds you are taken to the login page.',
})
