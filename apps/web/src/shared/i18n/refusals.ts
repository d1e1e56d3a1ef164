import { fillIn, shownFact } from '@dct/api-contract/errors/shape'
import { refusalTexts } from './refusals.texts.ts'
import { i18n, say } from './texts.ts'

const ASK_SUPPORT = `${refusalTexts.scope}.askSupport`

/**
 * The sentence of a refusal in the current language: the translation of its code (`errors.CODE` in the language's
 * catalogue), or the service's own sentence in English.
 * @param facts the sentence's values, as the service sends them with the refusal; a support address among them is
 *   appended to a translation, because the service's own sentence already ends with it
 */
export function refusalText(code: string, english: string, facts?: unknown): string {
  const id = `errors.${code}`
  if (!Object.hasOwn(i18n.messages, id)) return english
  const values = Object.fromEntries(
    Object.entries(facts ?? {}).map(([name, fact]) => [name, shownFact(fact, i18n.locale)]),
  )
  const sentence = say(id, values)
  const email = values.support_email
  return typeof email === 'string' ? say(ASK_SUPPORT, { sentence, email }) : sentence
}

type Errors = Readonly<Record<string, { message: string }>>

/** The refusal that the service would send, with its values; shown without sending a request. */
export function refusalOf<E extends Errors>(
  errors: E,
  code: keyof E & string,
  values: Readonly<Record<string, string>>,
): string {
  return refusalText(code, fillIn(errors[code]?.message ?? '', values), values)
}

/**
 * The refusals that a page shows without sending a request, by the page's own names. Each property is the sentence in
 * the language that is current when it is read, so read it where it is shown.
 */
export function defineRefusals<E extends Errors, const C extends Record<string, keyof E & string>>(
  errors: E,
  codes: C,
): { readonly [K in keyof C]: string } {
  const sentenceOf = (code: keyof E & string) => refusalText(code, errors[code]?.message ?? '')
  return new Proxy(codes, { get: (_, name: string) => sentenceOf(codes[name] ?? '') })
}
