import { refusalTexts } from './refusals.texts.ts'
import { i18n, say } from './texts.ts'

const ASK_SUPPORT = `${refusalTexts.scope}.askSupport`

/**
 * The sentence of a refusal in the current language: other languages have a translation for its code (`errors.CODE` in
 * their catalogue), English is the service's own sentence.
 * @param facts the values that the sentence names, as the service sends them with the refusal; the address of support
 *   among them is added, because the service's own sentence ends with it
 */
export function refusalText(code: string, english: string, facts?: unknown): string {
  const id = `errors.${code}`
  if (!Object.hasOwn(i18n.messages, id)) return english
  const values = (facts ?? {}) as Record<string, unknown>
  const sentence = say(id, values)
  const email = values.support_email
  return typeof email === 'string' ? say(ASK_SUPPORT, { sentence, email }) : sentence
}

type Errors = Readonly<Record<string, { message: string }>>

/** What the service would answer, with the values that it names; to be shown before asking it. */
export function refusalOf<E extends Errors>(
  errors: E,
  code: keyof E & string,
  values: Readonly<Record<string, string>>,
): string {
  const pattern = errors[code]?.message ?? ''
  const english = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  return refusalText(code, english, values)
}

/**
 * What the service would answer, by the names under which a page shows it before asking: each property is its sentence
 * in the language at that moment, so read it where it is shown.
 */
export function defineRefusals<E extends Errors, const C extends Record<string, keyof E & string>>(
  errors: E,
  codes: C,
): { readonly [K in keyof C]: string } {
  const sentenceOf = (code: keyof E & string) => refusalText(code, errors[code]?.message ?? '')
  return new Proxy(codes, { get: (_, name: string) => sentenceOf(codes[name] ?? '') })
}
