import { defineTexts, defineWording } from '../../shared/i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const LOGIN_WORDING = defineWording('loginWording', {
  title: 'Login with Tronlink',
  login: 'Login',
  register: 'Register new accounts',
  notConnected: 'Wallet has not been connected!',
  succeeded: 'LOGIN SUCCESSFUL!Directing to the dashboard...',
  callFailed: 'An error occurs when logging in.Try again later.',
  noToken: 'Login Fail!Check your account again.',
})

export const loginTexts = defineTexts('login', {
  lead: 'Signing in is free and moves no tokens.',
  stepWallet: 'Wallet',
  stepSign: 'Signature',
  signing: 'Waiting for your wallet…',
  expired: 'Your session has ended. Log in again to continue where you were.',
  newHere: 'New here?',
  signedInAs: 'You are logged in as {address}.',
  goOn: 'Continue',
  askBegin: 'What do I need to begin?',
  beforeTitle: 'Before you start',
  lockName: 'Lock',
  lockText:
    '{minimum} to {maximum} DCT until the plan ends. They return by themselves, only to your wallet.',
  earnName: 'Earn',
  earnText: 'A reward every day. The whole of it is reserved before you lock.',
  claimName: 'Claim in time',
  claimText: 'At least every {cycles} days, or your earning freezes and later rewards are lost.',
  costName: 'Know the cost',
  costText: 'A claim costs {percentage}% of it plus {energy} USDT, in USDT on BSC (BEP20).',
})
