import type { ErrorCatalogue } from './shape.ts'

export const EARNINGS_ERRORS = {
  BAD_HASH: {
    status: 400,
    message: 'Invalid hash format. Please enter a valid Tron transaction hash.',
  },
  EARNING_NOT_FOUND: { status: 404, message: 'You have no earning in this plan.' },
  NOT_YOUR_LOCK: { status: 403, message: 'This transaction was made by another wallet.' },
  OTHER_CONTRACT: {
    status: 422,
    message: 'This transaction did not lock tokens in our staking contract.',
  },
  OTHER_PLAN: { status: 409, message: 'This transaction joined another plan.' },
  OTHER_AMOUNT: { status: 409, message: 'This transaction locked another amount.' },
  LOCK_FAILED: { status: 422, message: 'This transaction failed on chain. Nothing was locked.' },
  LOCK_NOT_FOUND: { status: 422, message: 'No node knows this transaction. Nothing was locked.' },
  NOTHING_TO_CLAIM: { status: 422, message: 'No reward can be claimable' },
  CLAIM_FEE_OPEN: {
    status: 409,
    message: 'Pay the fee of your last claim of this plan first.',
  },
  CLAIM_TIME_OVER: { status: 422, message: 'The time to claim the rewards of this plan is over.' },
  CAPITAL_NOT_DUE: { status: 422, message: 'The lock period of this plan is not over yet.' },
} as const satisfies ErrorCatalogue
