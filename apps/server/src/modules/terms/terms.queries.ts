import type { PublishedText } from '@dct/rules/terms-placeholders'
import { sql } from 'kysely'
import type { BusinessDay } from '../../platform/clock.ts'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import { own, type TermsConsentTable } from './terms.tables.ts'

/** The newest published version that has taken effect; undefined if there is none. */
export async function newestInForce(db: DbOrTx, kind: PublishedText, today: BusinessDay) {
  return own(db)
    .selectFrom('terms_version')
    .selectAll()
    .where('kind', '=', kind)
    .where('effective_day', '<=', today)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Every published version, newest first. */
export async function listVersions(db: DbOrTx, kind: PublishedText) {
  return own(db)
    .selectFrom('terms_version')
    .selectAll()
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .execute()
}

export async function findVersion(db: DbOrTx, kind: PublishedText, version: string) {
  return own(db)
    .selectFrom('terms_version')
    .selectAll()
    .where('kind', '=', kind)
    .where('version', '=', version)
    .executeTakeFirst()
}

/** Serializes publishing; readers are not blocked. */
export async function lockVersions(tx: Tx): Promise<void> {
  await sql`lock table terms_version in share row exclusive mode`.execute(tx)
}

export type NewVersion = {
  kind: PublishedText
  version: string
  effectiveDay: BusinessDay
  texts: { id: string; en: string }
  adminId: bigint
  at: Date
}

export async function insertVersion(tx: Tx, row: NewVersion): Promise<void> {
  await own(tx)
    .insertInto('terms_version')
    .values({
      kind: row.kind,
      version: row.version,
      effective_day: row.effectiveDay,
      text_id: row.texts.id,
      text_en: row.texts.en,
      published_by: row.adminId,
      published_at: row.at,
    })
    .execute()
}

/** Whether a user has accepted one of these texts. */
export async function hasAccepted(
  db: DbOrTx,
  asked: { userId: bigint; hashes: readonly Buffer[] },
): Promise<boolean> {
  const row = await own(db)
    .selectFrom('terms_consent')
    .select('id')
    .where('user_id', '=', asked.userId)
    .where('text_sha256', 'in', asked.hashes)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Records a consent. Does nothing if the user has already accepted this text. */
export async function insertConsent(tx: Tx, consent: Omit<TermsConsentTable, 'id'>): Promise<void> {
  await own(tx)
    .insertInto('terms_consent')
    .values(consent)
    .onConflict((conflict) => conflict.constraint('terms_consent_once').doNothing())
    .execute()
}

/** The consents of a user, newest first. */
export async function consentsOf(db: DbOrTx, userId: bigint) {
  return own(db)
    .selectFrom('terms_consent')
    .select(['version', 'language', 'text_sha256', 'accepted_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}
