import { CANCEL_AFTER_HOURS, CLAIM_MIN_DCT } from '@dct/rules/constants'
import type { ErrorCatalogue } from './shape.ts'

export const CLAIMS_ERRORS = {
  PLAN_NOT_SELECTED: { status: 400, message: 'Select Earning Plan first!' },
  BELOW_MINIMUM_CLAIM: { status: 422, message: `Minimum claim amount is ${CLAIM_MIN_DCT} DCT!` },
  FEE_ABOVE_MAXIMUM: { status: 409, message: 'The fee is now higher than the estimate.' },
  CLAIM_NOT_FOUND: { status: 404, message: 'There is no such claim.' },
  CLAIM_NOT_OPEN: {
    status: 409,
    message: 'The fee of this claim is paid, or the claim was closed.',
  },
  HALF_NOT_CANCELLABLE: {
    status: 422,
    message: 'A HALF claim cannot be cancelled: one half has already been sent.',
  },
  CANCEL_TOO_EARLY: {
    status: 422,
    message: `A claim can be cancelled ${CANCEL_AFTER_HOURS} hours after it was made.`,
  },
  PAYMENT_HASH_MISSING: { status: 400, message: 'Please enter the payment hash.' },
  PAYMENT_HASH_INVALID: {
    status: 400,
    message: 'Invalid hash format. Please enter a valid BSC transaction hash.',
  },
  NO_OPEN_FEE: { status: 404, message: 'You have no open fee in this plan.' },
  PAYMENT_NOT_FOUND: {
    status: 422,
    message: 'The BSC network does not know this transaction. Please check the hash.',
  },
  PAYMENT_FAILED: {
    status: 422,
    message: 'This transaction failed on BSC. No USDT was moved.',
  },
  PAYMENT_OTHER_TOKEN: {
    status: 422,
    message: 'This transaction sent a token other than USDT (BEP20) to us.',
  },
  PAYMENT_OTHER_RECIPIENT: {
    status: 422,
    message: 'This transaction sent USDT to an address other than the one shown for this fee.',
  },
  PAYMENT_WITHOUT_TRANSFER: {
    status: 422,
    message: 'This transaction sent no USDT. An approval is not a payment.',
  },
  PAYMENT_TOO_LITTLE: { status: 422, message: 'The payment is less than the fee.' },
  PAYMENT_TOO_MUCH: { status: 422, message: 'The payment is more than the fee.' },
  PAYMENT_TOO_OLD: {
    status: 422,
    message: 'This payment was made before the claim, so it cannot be its fee.',
  },
  PAYMENT_TOO_LATE: {
    status: 422,
    message: 'The time to pay this fee was over when the payment arrived.',
  },
  STEP_UNKNOWN: { status: 422, message: 'There is no such money step here.' },
  OWN_FEE: { status: 403, message: 'You cannot settle your own fee. Another admin must do it.' },
  PAYMENT_ALREADY_USED: {
    status: 409,
    message: 'This payment has been used for another fee of yours.',
  },
  PAYMENT_BELONGS_ELSEWHERE: { status: 409, message: 'This payment belongs to another fee.' },
  RECEIPT_NOT_FOUND: { status: 404, message: 'There is no such payment.' },
  NOT_A_RETURN: {
    status: 422,
    message:
      'This transaction does not return the payment: it must be a later transfer of at least this USDT to its sender.',
  },
  RETURN_NOT_ANNOUNCED: {
    status: 409,
    message:
      'Nobody has announced the return of this payment. Announce it first, so that no other admin sends it, too.',
  },
  RETURN_UNDER_WAY: {
    status: 409,
    message:
      'An admin is sending this payment back, or may have. Ask them first: a payment that is returned settles no fee.',
  },
  RETURN_USED: { status: 409, message: 'This transfer has already returned another payment.' },
  RECEIPT_NOT_UNMATCHED: { status: 409, message: 'This payment has already been handled.' },
} as const satisfies ErrorCatalogue
