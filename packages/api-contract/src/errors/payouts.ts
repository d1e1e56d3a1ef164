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
  PAYOUT_NOT_MANUAL: {
    status: 409,
    message: 'The service sends this payout itself. It accepts no transaction from an admin.',
  },
  MANUAL_PAYMENT_TOO_OLD: {
    status: 422,
    message: 'This payment was made before the claim was approved, so it cannot pay it.',
  },
  MANUAL_PAYMENT_WRONG_AMOUNT: { status: 422, message: 'This payment is not the exact amount.' },
  MANUAL_PAYMENT_OTHER_TOKEN: {
    status: 422,
    message: 'This transaction sent a token other than USDT (BEP20) to the address of the claim.',
  },
  MANUAL_PAYMENT_OTHER_RECIPIENT: {
    status: 422,
    message: 'This transaction sent USDT to an address other than that of the claim.',
  },
  MANUAL_PAYMENT_OTHER_WALLET: {
    status: 422,
    message:
      'This payment came from a wallet that is not one of the admins’. Add it to MANUAL_PAYOUT_WALLETS first.',
  },
  MANUAL_PAYMENT_USED: { status: 409, message: 'This payment is booked for another payout.' },
  PAYOUT_PAYMENT_FITS: {
    status: 409,
    message:
      'An unexplained payment on chain may belong to this payout. Attach or explain it first.',
  },
  PAYOUT_CHAIN_UNREAD: {
    status: 409,
    message:
      'Recent payments on this chain have not been read yet. Nothing was changed; please try again in a minute.',
  },
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
  PAYMENT_NOT_OURS: {
    status: 422,
    message: 'This payment did not come from one of our addresses.',
  },
  PAYMENT_OF_ANOTHER: {
    status: 422,
    message: 'This transaction pays no reward of exactly this amount to this holder in this plan.',
  },
  SENDER_NOT_HELD: { status: 409, message: 'This sender is not held: it continues automatically.' },
  SENDER_UNDECIDED: {
    status: 409,
    message:
      'The outcome of some transactions is not certain yet. Nothing was changed; please try again in a minute.',
  },
  SENDER_PAYMENT_FITS: {
    status: 409,
    message:
      'A payment from a payout wallet is unexplained, and may be one that these books lost. Attach or explain it first.',
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
  PAYMENT_NOT_OPEN: {
    status: 409,
    message: 'This payment has already been explained, or is unknown.',
  },
} as const satisfies ErrorCatalogue
