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
  lead: 'Your wallet is your account. You log in by signing a message, which is free and moves no tokens.',
  stepWallet: 'Wallet',
  stepSign: 'Signature',
  signHint: 'Your wallet shows a short text. Sign it to log in.',
  signing: 'Waiting for your wallet…',
  expired: 'Your session has ended. Log in again to continue where you were.',
  newHere: 'New here?',
  signedInAs: 'You are logged in as {address}.',
  goOn: 'Continue',
  askBegin: 'What do I need to begin?',
  beforeTitle: 'Before you start',
  lockName: 'Lock',
  lockText:
    '{minimum} to {maximum} DCT for the full term of a plan. They are returned automatically, and only to the wallet that locked them.',
  earnName: 'Earn',
  earnText:
    'A reward is credited every day of the plan. The full amount is reserved before you lock.',
  claimName: 'Claim in time',
  claimText:
    'Claim at least every {cycles} days. Otherwise your earning is frozen, and later rewards can be lost.',
  costName: 'Know the cost',
  costText:
    'A claim costs {percentage}% of the claimed reward plus {energy} USDT for energy, paid in USDT on BSC (BEP20).',
})
