import type { ErrorCatalogue } from './shape.ts'

export const COMMON_ERRORS = {
  BAD_REQUEST: { status: 400, message: 'The request is not valid.' },
  UNKNOWN_FIELD: { status: 400, message: 'The request contains an unknown field.' },
  BAD_ADDRESS: { status: 400, message: 'The Tron address is not valid.' },
  BAD_AMOUNT: { status: 400, message: 'The amount is not a plain decimal number.' },
  BAD_SORT: { status: 400, message: 'The list cannot be sorted by that.' },
  BAD_DATE: { status: 400, message: 'The date is not valid. Write it as YYYY-MM-DD.' },
  NOT_SIGNED_IN: { status: 401, message: 'Please log in again.' },
  FORBIDDEN: { status: 403, message: 'Access denied. Please log in with the right account.' },
  NOT_FOUND: { status: 404, message: 'Not found.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This address does not take that method.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
  CONFLICT: {
    status: 409,
    message: 'Something has changed in the meantime. Please reload and try again.',
  },
  BODY_TOO_LARGE: { status: 413, message: 'The request is too large.' },
  JSON_EXPECTED: { status: 415, message: 'Please send JSON.' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Please wait a moment.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers of the request are too large.' },
  UNAVAILABLE: {
    status: 503,
    message: 'The service is not available right now. Nothing was changed.',
  },
  OUTCOME_UNKNOWN: {
    status: 503,
    message:
      'The connection was lost before the result was known. Please reload the page and check before you try again.',
  },
} as const satisfies ErrorCatalogue
