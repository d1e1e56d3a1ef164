import { type Static, Type } from 'typebox'
import { AmountInput, ListFrame, ListQuery, Nullable, OneOf, Strict, Timestamp } from './common.ts'
import { LIST_ORDERS } from './lists.ts'

/** USDT for one DCT, 8 decimals. */
export const PriceText = Type.String({ pattern: '^\\d+\\.\\d{8}$', examples: ['1.00000000'] })

export const SetPriceBody = Strict({ price: AmountInput })
export type SetPriceBody = Static<typeof SetPriceBody>

/** Where a price comes from. */
export const PRICE_SOURCES = ['admin', 'pair', 'settings'] as const

export const Price = Type.Object({
  id: Type.String(),
  price: PriceText,
  set_by: Nullable(
    Type.String({ description: "The admin's Tron address; null if no admin set it." }),
  ),
  source: OneOf(...PRICE_SOURCES),
  confirmed_by: Nullable(Type.String({ description: 'The second admin of a large step.' })),
  at: Timestamp,
})
export type Price = Static<typeof Price>

/** A price beyond what one admin may set within a day; it awaits the same price from another admin. */
export const PriceProposal = Type.Object({
  price: PriceText,
  proposed_by: Type.String(),
  proposed_at: Timestamp,
  expires_at: Timestamp,
})
export type PriceProposal = Static<typeof PriceProposal>

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
  proposal: Nullable(PriceProposal),
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

export const SetPriceReply = Type.Intersect([
  PriceReply,
  Type.Object({
    message: Type.String(),
    is_set: Type.Boolean({ description: 'False when the change awaits a second admin.' }),
  }),
])
export type SetPriceReply = Static<typeof SetPriceReply>

export const PriceHistoryQuery = ListQuery(LIST_ORDERS.prices, {})
export const PriceHistoryReply = Type.Object({ prices: Type.Array(Price), ...ListFrame })
export type PriceHistoryReply = Static<typeof PriceHistoryReply>
