import type { ErrorCatalogue } from './shape.ts'

export const REPORTS_ERRORS = {
  DAY_NOT_OVER: { status: 422, message: 'Only a day that is over can be closed.' },
  DAY_NOT_READ: {
    status: 409,
    message: 'The chains have not been read to the end of this day yet. Please try again later.',
  },
  DAY_BEFORE_START: { status: 422, message: 'Nothing had happened on the chains by this day.' },
  DAY_CLOSED: { status: 409, message: 'This day is already closed.' },
  DAY_NOT_CLOSED: { status: 404, message: 'This day is not closed.' },
  CASE_NOT_FOUND: { status: 404, message: 'There is no such case.' },
  CASE_LINK_OVER: { status: 404, message: 'This link is invalid or has expired.' },
  MAINTENANCE_TIME_INVALID: {
    status: 422,
    message: 'The work must end in the future, and after it begins.',
  },
} as const satisfies ErrorCatalogue
