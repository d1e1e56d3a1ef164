import type { ErrorCatalogue } from './shape.ts'

export const ADMIN_ERRORS = {
  USER_NOT_FOUND: { status: 404, message: 'The user was not found.' },
  USER_HAS_EARNINGS: { status: 409, message: 'A user with earnings cannot be removed.' },
  USER_HAS_REWARDS: { status: 409, message: 'A user with referral rewards cannot be removed.' },
  USER_HAS_DOWNLINE: { status: 409, message: 'A user with a downline cannot be removed.' },
  ALARM_NOT_OPEN: { status: 409, message: 'This alarm is no longer open.' },
  ALARM_HAS_CAUSE: {
    status: 409,
    message: 'This alarm ends by itself when its cause is gone. It cannot be acknowledged.',
  },
} as const satisfies ErrorCatalogue
