import { setupI18n } from '@lingui/core'
import { useLingui } from '@lingui/react'

/** English is registered by each feature's own chunk; other languages arrive as one lazy catalogue. */
export const i18n = setupI18n({ locale: 'en', messages: { en: {} } })

type Placeholder<S> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never
type Arguments<S> = [Placeholder<S>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholder<S>, string | number>>]

/** Plain sentences by key; `{name}` is a placeholder. */
export type Catalogue = Readonly<Record<string, string>>
/** One feature's English sentences and the scope under which they are registered. */
export type Texts<C extends Catalogue> = { readonly scope: string; readonly english: C }
/** What another language has to offer for a feature: every key, nothing else. */
export type Translation<T> = T extends Texts<infer C> ? { readonly [K in keyof C]: string } : never
/** Looks up one sentence of a feature; the placeholders it needs are checked by the compiler. */
export type Translate<C extends Catalogue> = <K extends keyof C & string>(
  key: K,
  ...values: Arguments<C[K]>
) => string

/** Registers a feature's English sentences. Wordings fixed by the product stay outside of catalogues. */
export function defineTexts<const C extends Catalogue>(scope: string, english: C): Texts<C> {
  loadCatalogue('en', scope, english)
  return { scope, english }
}

/** Adds one feature's sentences to a language; repeating it is harmless. */
export function loadCatalogue(locale: string, scope: string, catalogue: Catalogue): void {
  const compiled = Object.entries(catalogue).map(([key, sentence]) => [
    `${scope}.${key}`,
    compileSentence(sentence),
  ])
  i18n.load(locale, Object.fromEntries(compiled))
}

/** Lingui's compiled form: text and placeholders in turn. Saves shipping its message parser. */
export function compileSentence(sentence: string): (string | [string])[] {
  return sentence
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => (/^\{\w+\}$/.test(part) ? [part.slice(1, -1)] : part))
}

/** The sentences of a feature in the present language; re-renders when it changes. */
export function useTexts<C extends Catalogue>(texts: Texts<C>): Translate<C> {
  const { i18n: active } = useLingui()
  return (key, ...values) => active._(`${texts.scope}.${key}`, values[0] ?? {})
}
