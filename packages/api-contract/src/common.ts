import { LONGEST_REASON } from '@dct/rules/constants'
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { LAST_PAGE, MAX_SEARCH_LENGTH, PAGE_SIZE } from './lists.ts'

export const MAX_PAGE_SIZE = 100

/** A decimal in the asset's unit, as a string in replies: "12.500000". */
export const AmountText = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', examples: ['12.500000'] })

/**
 * Requests may send an amount as a decimal string or as a JSON number. What the schema accepts beyond `x-pattern` is
 * judged later, with a message of its own; the document shows it as the pattern.
 */
export const AmountInput = Type.Union([
  Type.String({ minLength: 1, maxLength: 60, 'x-pattern': '^\\d+(\\.\\d{1,18})?$' }),
  Type.Number(),
])
export type AmountInput = Static<typeof AmountInput>

/** A Tron address in base58check. The server verifies its checksum. */
export const TronAddressText = Type.String({
  minLength: 1,
  maxLength: 64,
  'x-pattern': '^T[1-9A-HJ-NP-Za-km-z]{33}$',
  examples: ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
})

export const Timestamp = Type.String({ format: 'date-time' })
export const TimestampInput = Type.String({ format: 'date-time', maxLength: 40 })
export const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-01-31'] })

/** One of these exact texts. */
export function OneOf<const T extends string>(...values: T[]) {
  return Type.Unsafe<T>({ type: 'string', enum: values })
}

/** A pattern that matches these words in any case. The words must consist of letters. */
export function inAnyCase(words: readonly string[]): string {
  const letters = (word: string) =>
    [...word].map((letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`).join('')
  return `^(${words.map(letters).join('|')})$`
}

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** An object that refuses unknown fields. */
export function Strict<P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false }) as TObject<P>
}

/** Why an admin decides something; not only blanks. */
export const Reason = Type.String({ minLength: 1, maxLength: LONGEST_REASON, pattern: '\\S' })

export const MessageReply = Type.Object({ message: Type.String() })
export type MessageReply = Static<typeof MessageReply>

/** The replies of a call that may have to wait: 202 means that it still does, and is not a success. */
export function doneOrWaiting<T extends TSchema>(reply: T): { 200: T; 202: T } {
  return { 200: reply, 202: reply }
}

export const ErrorReply = Type.Object({
  message: Type.String(),
  code: Type.String(),
  details: Type.Optional(Type.Unknown()),
})
export type ErrorReply = Static<typeof ErrorReply>

/**
 * The query of a list: page (from 1), limit, search, sort and the fields of `extra`. `sort_by` accepts only the names
 * in `sortable`.
 */
export function ListQuery<const S extends readonly [string, ...string[]], E extends TProperties>(
  options: { sortable: S; sortBy: S[number]; sortOrder: 'asc' | 'desc' },
  extra: E,
) {
  return Type.Object(
    {
      page: Type.Integer({ minimum: 1, maximum: LAST_PAGE, default: 1 }),
      limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: PAGE_SIZE }),
      search: Type.Optional(Type.String({ maxLength: MAX_SEARCH_LENGTH })),
      sort_by: Type.Unsafe<S[number]>({
        type: 'string',
        enum: [...options.sortable],
        default: options.sortBy,
      }),
      sort_order: Type.Unsafe<'asc' | 'desc'>({
        type: 'string',
        enum: ['asc', 'desc'],
        default: options.sortOrder,
      }),
      ...extra,
    },
    { additionalProperties: false },
  )
}

/** Business days (UTC+7), both inclusive. A timestamp stands for its day. */
const DayInput = Type.String({
  maxLength: 40,
  examples: ['2026-01-31', '2026-01-31T10:00:00.000Z'],
})
export const DateRange = {
  start_date: Type.Optional(DayInput),
  end_date: Type.Optional(DayInput),
}

/** The paging fields of every list reply, in addition to its items. */
export const ListFrame = {
  total: Type.Integer(),
  totalPages: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
}
