import type { ErrorCatalogue } from './shape.ts'

export const AUTH_ERRORS = {
  SIGNATURE_REQUIRED: {
    status: 401,
    message: 'Please sign this site’s message with your wallet to continue.',
  },
  BAD_SIGNATURE: {
    status: 401,
    message: 'The signature does not match this wallet and this message.',
  },
  CHALLENGE_USED: {
    status: 401,
    message: 'This message has already been signed and used. Please try again.',
  },
  CHALLENGE_EXPIRED: { status: 401, message: 'This message is no longer valid. Please try again.' },
  WRONG_WALLET: {
    status: 403,
    message: 'The wallet is set to a different account than the one that is logged in.',
  },
  STEP_UP_REQUIRED: {
    status: 403,
    message: 'Please confirm with a wallet signature first.',
  },
  NOT_REGISTERED: {
    status: 404,
    message: 'This wallet is not registered yet. Please register first.',
  },
  ACCOUNT_IN_USE: {
    status: 409,
    message:
      'This account has locked tokens or unclaimed rewards. It can be closed after its plans have ended.',
  },
  SESSION_NOT_FOUND: { status: 404, message: 'This session has already ended.' },
  ALREADY_REGISTERED: {
    status: 409,
    message: 'This wallet is already registered. Please log in.',
  },
  REFERRER_NOT_FOUND: { status: 400, message: 'The referral code is not known.' },
  EMAIL_REQUIRED: { status: 400, message: 'Email must be filled in!' },
  EMAIL_SEVERAL: { status: 400, message: 'Enter a single e-mail address.' },
  EMAIL_INVALID: { status: 400, message: 'Invalid email format!' },
  TERMS_NOT_ACCEPTED: {
    status: 400,
    message: 'You must accept the terms and conditions!',
  },
  CANNOT_REMOVE_SELF: { status: 409, message: 'You cannot remove yourself.' },
  LAST_ADMIN: { status: 409, message: 'The last admin cannot be removed.' },
} as const satisfies ErrorCatalogue
