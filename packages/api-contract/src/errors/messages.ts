import type { ErrorCatalogue } from './shape.ts'

export const MESSAGES_ERRORS = {
  CHANNEL_NOT_OFFERED: { status: 409, message: 'Messages of this kind are not available here.' },
  NO_SUCH_CHANNEL: { status: 404, message: 'Please set up and confirm this channel first.' },
  MESSAGE_TOKEN_INVALID: {
    status: 404,
    message: 'This link is no longer valid. Please ask for a new one in your message settings.',
  },
  SUBSCRIPTION_INVALID: { status: 400, message: 'This browser’s subscription cannot be used.' },
} as const satisfies ErrorCatalogue
