import { i18n } from './texts.ts'

/**
 * The sentence of a refusal in the current language: other languages have a translation for its code (`errors.CODE` in
 * their catalogue), English is the service's own sentence.
 * @param facts the values that the sentence names, as the service sends them with the refusal
 */
export function refusalText(code: string, english: string, facts?: unknown): string {
  const id = `errors.${code}`
  if (!Object.hasOwn(i18n.messages, id)) return english
  return i18n._(id, (facts ?? {}) as Record<string, unknown>)
}

type Errors = Readonly<Record<string, { message: string }>>

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
