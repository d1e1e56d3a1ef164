import type { ErrorCatalogue } from './shape.ts'

export const ADMIN_ERRORS = {
  USER_NOT_FOUND: { status: 404, message: 'The user was not found.' },
  USER_HAS_EARNINGS: { status: 409, message: 'A user with earnings cannot be removed.' },
  USER_HAS_REWARDS: { status: 409, message: 'A user with referral rewards cannot be removed.' },
  USER_HAS_DOWNLINE: { status: 409, message: 'A user with a downline cannot be removed.' },
} as const satisfies ErrorCatalogue
