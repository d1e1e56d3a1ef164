import { createHash } from 'node:crypto'
import { TERMS_VERSION } from '@dct/rules/constants'
import { DEFAULT_TERMS } from '@dct/rules/default-terms'
import type { TermsLanguage } from '@dct/rules/terms-placeholders'
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

/** The terms that are in force at an instant. */
export async function termsInForce(settings: TermsSettings, db: DbOrTx, at: Date): Promise<Terms> {
  const row = await newestInForce(db, businessDayOf(at))
  return row === undefined ? termsOfSoftware(settings) : termsOf(settings, row)
}

/** A version by its name; undefined if there is none. */
export async function termsOfVersion(
  settings: TermsSettings,
  db: DbOrTx,
  version: string,
): Promise<Terms | undefined> {
  const row = await findVersion(db, version)
  if (row !== undefined) return termsOf(settings, row)
  return version === TERMS_VERSION ? termsOfSoftware(settings) : undefined
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

function termsOfSoftware(settings: TermsSettings): Terms {
  return { version: TERMS_VERSION, effectiveDay: undefined, ...filled(settings, DEFAULT_TERMS) }
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
