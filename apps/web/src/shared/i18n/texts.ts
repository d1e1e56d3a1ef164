import { localDecimal } from '@dct/money/local-decimal'
import { setupI18n } from '@lingui/core'
import { useLingui } from '@lingui/react'

/** Each feature's own chunk registers its English sentences; another language arrives as one lazy catalogue. */
export const i18n = setupI18n({ locale: 'en', messages: { en: {} } })

type Placeholder<S> = S extends `${string}{${infer Inside}}${infer Rest}`
  ? Name<Inside> | Placeholder<Rest>
  : never
/** The text after `{`: a name, a name with its plural forms, or the words of a further form, which contain spaces. */
type Name<S> = S extends `${infer N}, ${string}`
  ? Name<N>
  : S extends `${string} ${string}`
    ? never
    : S
type Arguments<S> = [Placeholder<S>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholder<S>, string | number>>]

/** Sentences by key; `{name}` is a placeholder, `{count, plural, one {# day} other {# days}}` selects a plural form. */
export type Catalogue = Readonly<Record<string, string>>
/** One feature's English sentences and the scope under which they are registered. */
export type Texts<C extends Catalogue> = { readonly scope: string; readonly english: C }
/** Looks up one of a feature's sentences; the compiler checks its placeholders. */
export type Translate<C extends Catalogue> = <K extends keyof C & string>(
  key: K,
  ...values: Arguments<C[K]>
) => string

/**
 * Registers a feature's English sentences: literals in ICU MessageFormat, which the build replaces with their compiled
 * form.
 */
export function defineTexts<const C extends Catalogue>(scope: string, english: C): Texts<C> {
  const messages = Object.entries(english).map(([key, message]) => [`${scope}.${key}`, message])
  i18n.load('en', Object.fromEntries(messages))
  return { scope, english }
}

/**
 * Registers sentences without placeholders that code outside components reads too. Each property is the sentence in the
 * language that is current when it is read, so read it where it is shown.
 */
export function defineWording<const C extends Catalogue>(
  scope: string,
  english: C,
): { readonly [K in keyof C]: string } {
  defineTexts(scope, english)
  return new Proxy(english, { get: (_, key: string) => i18n._(`${scope}.${key}`) })
}

const DECIMAL = /^[-+]?\d+\.\d+$/

/** A sentence in the current language. Decimals among its values, as the service sends them, are localised too. */
export function say(id: string, values: Readonly<Record<string, unknown>> = {}): string {
  const shown = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' && DECIMAL.test(value) ? localDecimal(value, i18n.locale) : value,
  ])
  return i18n._(id, Object.fromEntries(shown))
}

/** The current language; re-renders when it changes, which a component that shows only wording needs too. */
export function useLanguage(): string {
  return useLingui().i18n.locale
}

/** A feature's sentences in the current language; re-renders when it changes. */
export function useTexts<C extends Catalogue>(texts: Texts<C>): Translate<C> {
  useLingui()
  return (key, ...values) => say(`${texts.scope}.${key}`, values[0])
}
