import type { ErrorCatalogue } from './shape.ts'

export const PAYOUTS_ERRORS = {
  PAYOUT_NOT_FOUND: { status: 404, message: 'There is no such payout.' },
  PAYOUT_NOT_HELD: { status: 409, message: 'This payout is not held: it goes on by itself.' },
  PAYOUT_SIGNED: {
    status: 409,
    message: 'A transaction of this payout is signed and undecided: it cannot be stopped any more.',
  },
  PAYOUT_ENDED: { status: 409, message: 'This payout has ended already.' },
  PAYMENT_NOT_OPEN: { status: 409, message: 'This payment is explained already, or unknown.' },
} as const satisfies ErrorCatalogue
