import type { PublishedText, TermsLanguage } from '@dct/rules/terms-placeholders'
import type { GeneratedAlways } from 'kysely'
import { tablesOf } from '../../platform/database/db.ts'
import type { AuthViews } from '../auth/index.ts'

export type TermsVersionTable = {
  id: GeneratedAlways<bigint>
  kind: PublishedText
  version: string
  effective_day: string
  /** Markdown with placeholders; `text_en` too. */
  text_id: string
  text_en: string
  published_by: bigint
  published_at: Date
}

export type TermsConsentTable = {
  id: GeneratedAlways<bigint>
  user_id: bigint
  version: string
  language: TermsLanguage
  text_sha256: Buffer
  accepted_at: Date
}

export type TermsTables = {
  terms_version: TermsVersionTable
  terms_consent: TermsConsentTable
}

export const own = tablesOf<TermsTables & AuthViews>()
