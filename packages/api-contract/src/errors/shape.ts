import { businessDayInWords, isBusinessDay } from '@dct/rules/business-day'

/** The type of a module's catalogue of errors. */
export type ErrorCatalogue = Record<
  string,
  {
    status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 503
    message: string
  }
>

/** Replaces each `{name}` in an English message with the fact of that name. */
export function fillIn(message: string, facts: Readonly<Record<string, unknown>>): string {
  return message.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => `${shownFact(facts[name], 'en') ?? ''}`,
  )
}

/** A fact as a sentence in this language shows it: a business day in words, anything else unchanged. */
export function shownFact(fact: unknown, language: string): unknown {
  return typeof fact === 'string' && isBusinessDay(fact) ? businessDayInWords(fact, language) : fact
}
