import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from './common.ts'

/** USDT for one DCT, 8 decimals. */
export const PriceText = Type.String({ pattern: '^\\d+\\.\\d{8}$', examples: ['1.00000000'] })

export const PriceReply = Type.Object({
  price: Nullable(PriceText),
  at: Nullable(Timestamp),
  is_current: Type.Boolean({ description: 'False when missing or too old: claims are refused.' }),
  expires_at: Nullable(Timestamp),
  minimum: PriceText,
  maximum: PriceText,
  maximum_step_percentage: Type.String({
    description: 'The total change within a day that one admin may make alone.',
  }),
  alone: Nullable(
    Type.Object(
      { lowest: PriceText, highest: PriceText },
      { description: 'The range that the caller may set alone now; null without a limit.' },
    ),
  ),
  pair: Nullable(
    Type.Object(
      {
        window_minutes: Type.Integer(),
        minimum: PriceText,
        maximum: PriceText,
        daily_step_percentage: Type.String(),
      },
      { description: 'How the price is taken from the pair on chain; null if only admins set it.' },
    ),
  ),
})
export type PriceReply = Static<typeof PriceReply>
