import type { ErrorCatalogue } from './shape.ts'

export const PRICING_ERRORS = {
  PRICE_UNAVAILABLE: {
    status: 503,
    message: 'There is no current price of DCT, so fees cannot be calculated right now.',
  },
  PRICE_OUT_OF_BOUNDS: { status: 422, message: 'The price is outside the allowed range.' },
  MONEY_SETTING_INVALID: {
    status: 422,
    message: 'The value must be an amount, percentage or day within the allowed range.',
  },
} as const satisfies ErrorCatalogue
