import { readFileSync } from 'node:fs'
import type { Language } from '@dct/api-contract/languages'
import { IntlMessageFormat } from 'intl-messageformat'

type Catalogue = Readonly<Record<string, string>>
export type Texts<C extends Catalogue> = { readonly scope: string; readonly english: C }

/** English sentences in ICU MessageFormat by key. Must be literals, because `npm run translations` parses the code. */
export function defineTexts<const C extends Catalogue>(scope: string, english: C): Texts<C> {
  return { scope, english }
}

/** The sentences of the other languages by id; `npm run translations` writes them from the catalogues. */
const TRANSLATIONS: Readonly<Record<string, Catalogue>> = JSON.parse(
  readFileSync(new URL('generated/translations.json', import.meta.url), 'utf8'),
)

export type Values = Readonly<Record<string, string | number>>

/** A sentence in a language, or in English if that language lacks it. */
export function sentence<C extends Catalogue>(
  texts: Texts<C>,
  { language, key, values }: { language: Language; key: keyof C & string; values: Values },
): string {
  const translated = TRANSLATIONS[language]?.[`${texts.scope}.${key}`]
  const [text, locale] =
    translated === undefined ? [texts.english[key] ?? '', 'en'] : [translated, language]
  return String(new IntlMessageFormat(text, locale).format(values))
}
