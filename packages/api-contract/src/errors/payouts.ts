import type { ErrorCatalogue } from './shape.ts'

export const PAYOUTS_ERRORS = {
  PAYOUT_NOT_FOUND: { status: 404, message: 'There is no such payout.' },
  PAYOUT_NOT_HELD: { status: 409, message: 'This payout is not held: it goes on by itself.' },
  PAYOUT_SIGNED: {
    status: 409,
    message: 'A transaction of this payout is signed and undecided: it cannot be stopped any more.',
  },
  PAYOUT_ENDED: { status: 409, message: 'This payout has ended already.' },
  PAYOUT_NOT_BY_HAND: {
    status: 409,
    message: 'The service sends this payout itself. It takes no transaction of an admin.',
  },
  HAND_PAYMENT_TOO_OLD: {
    status: 422,
    message: 'This payment was made before the claim was approved, so it cannot pay it.',
  },
  HAND_PAYMENT_WRONG_AMOUNT: { status: 422, message: 'This payment is not the exact amount.' },
  HAND_PAYMENT_OTHER_TOKEN: {
    status: 422,
    message: 'This transaction sent another token than USDT (BEP20) to the address of the claim.',
  },
  HAND_PAYMENT_OTHER_RECIPIENT: {
    status: 422,
    message: 'This transaction sent USDT to another address than that of the claim.',
  },
  HAND_PAYMENT_USED: { status: 409, message: 'This payment is booked for another payout.' },
  PAYMENT_NOT_OPEN: { status: 409, message: 'This payment is explained already, or unknown.' },
} as const satisfies ErrorCatalogue
