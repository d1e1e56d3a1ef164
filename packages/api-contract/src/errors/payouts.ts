import type { ErrorCatalogue } from './shape.ts'

export const PAYOUTS_ERRORS = {
  CHAIN_NOT_HALTED: { status: 409, message: 'This chain is not halted.' },
  HALT_CHANGED: {
    status: 409,
    message: 'The chain has changed since this was loaded. Please reload.',
  },
  PAYOUT_NOT_FOUND: { status: 404, message: 'There is no such payout.' },
  PAYOUT_NOT_HELD: { status: 409, message: 'This payout is not held: it continues automatically.' },
  PAYOUT_SIGNED: {
    status: 409,
    message: 'A transaction of this payout is signed and undecided: it can no longer be stopped.',
  },
  PAYOUT_ENDED: { status: 409, message: 'This payout has already ended.' },
  PAYMENT_NOT_ON_CHAIN: {
    status: 422,
    message: 'The network does not know this transaction. Please check the hash.',
  },
  PAYMENT_NOT_FINAL: {
    status: 409,
    message: 'This transaction is not final yet. Please try again in a minute.',
  },
  PAYMENT_WITHOUT_EFFECT: {
    status: 422,
    message: 'This transaction failed on chain: it paid nothing.',
  },
  OPERATOR_CALL_NOT_FOUND: { status: 404, message: 'There is no such call by the operator.' },
  OPERATOR_CALL_NOT_HELD: {
    status: 409,
    message: 'This call is not held: it continues automatically, or is done.',
  },
  OPERATOR_CALL_NEEDED: {
    status: 409,
    message: 'Capital must go back to its holder: a release cannot be given up.',
  },
} as const satisfies ErrorCatalogue
