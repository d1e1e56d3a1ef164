import { createHash } from 'node:crypto'
import { DEFAULT_TEXTS } from '@dct/rules/default-texts'
import type { PublishedText, TermsLanguage } from '@dct/rules/terms-placeholders'
import { fillTerms, type TermsValues } from '@dct/rules/terms-placeholders'
import { businessDayOf } from '../../platform/clock.ts'
import type { DbOrTx } from '../../platform/database/db.ts'
import { findVersion, newestInForce } from './terms.queries.ts'

/** The values of the placeholders in this installation. */
export type TermsSettings = { termsValues: TermsValues }

type Texts<T> = Record<TermsLanguage, T>

/** A version with its placeholders filled with the values of this installation. */
export type Terms = {
  version: string
  /** Undefined for the default terms of the software. */
  effectiveDay: string | undefined
  texts: Texts<string>
  hashes: Texts<Buffer>
}

/** The version of a text that is in force at an instant; of the terms, unless another kind is named. */
export async function termsInForce(
  settings: TermsSettings,
  db: DbOrTx,
  at: Date,
  kind: PublishedText = 'terms',
): Promise<Terms> {
  const row = await newestInForce(db, kind, businessDayOf(at))
  return row === undefined ? ofSoftware(settings, kind) : termsOf(settings, row)
}

/** A version of the terms by its name; undefined if there is none. */
export async function termsOfVersion(
  settings: TermsSettings,
  db: DbOrTx,
  version: string,
): Promise<Terms | undefined> {
  const row = await findVersion(db, 'terms', version)
  if (row !== undefined) return termsOf(settings, row)
  const terms = ofSoftware(settings, 'terms')
  return version === terms.version ? terms : undefined
}

type VersionRow = { version: string; effective_day: string; text_id: string; text_en: string }

/** A published version with its placeholders filled. */
export function termsOf(settings: TermsSettings, row: VersionRow): Terms {
  return {
    version: row.version,
    effectiveDay: row.effective_day,
    ...filled(settings, { id: row.text_id, en: row.text_en }),
  }
}

function ofSoftware(settings: TermsSettings, kind: PublishedText): Terms {
  const { version, texts } = DEFAULT_TEXTS[kind]
  return { version, effectiveDay: undefined, ...filled(settings, texts) }
}

function filled({ termsValues }: TermsSettings, templates: Readonly<Texts<string>>) {
  const texts = {
    id: fillTerms(templates.id, termsValues),
    en: fillTerms(templates.en, termsValues),
  }
  return { texts, hashes: { id: sha256(texts.id), en: sha256(texts.en) } }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
