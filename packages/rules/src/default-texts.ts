import { PRIVACY_VERSION, TERMS_VERSION } from './constants.ts'
import { DEFAULT_PRIVACY } from './default-privacy.ts'
import { DEFAULT_TERMS } from './default-terms.ts'
import type { PublishedText, TermsLanguage } from './terms-placeholders.ts'

type DefaultText = { version: string; texts: Readonly<Record<TermsLanguage, string>> }

/** What is in force until the operator publishes something else. */
export const DEFAULT_TEXTS: Readonly<Record<PublishedText, DefaultText>> = {
  terms: { version: TERMS_VERSION, texts: DEFAULT_TERMS },
  privacy: { version: PRIVACY_VERSION, texts: DEFAULT_PRIVACY },
}
