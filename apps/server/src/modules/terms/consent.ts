import type { TermsLanguage } from '@dct/rules/terms-placeholders'
import type { Clock } from '../../platform/clock.ts'
import { type Db, type DbOrTx, inTransaction, type Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { hasAccepted, insertConsent } from './terms.queries.ts'
import { type TermsSettings, termsInForce, termsOfVersion } from './terms-in-force.ts'

export type ConsentDeps = TermsSettings & { clock: Clock }

/**
 * Whether a user still has to accept the terms in force, in either language. A number that changes in the rules changes
 * the text, too, so that it must be accepted again.
 */
export async function needsConsent(
  deps: ConsentDeps,
  db: DbOrTx,
  userId: bigint,
): Promise<boolean> {
  const { hashes } = await termsInForce(deps, db, deps.clock.now())
  return !(await hasAccepted(db, { userId, hashes: [hashes.id, hashes.en] }))
}

/**
 * Requires that a user has accepted the terms in force. Never required for the return of capital, or to read data.
 * @throws Refusal `TERMS_CONSENT_REQUIRED`
 */
export async function requireConsent(deps: ConsentDeps, db: DbOrTx, userId: bigint): Promise<void> {
  if (await needsConsent(deps, db, userId)) throw new Refusal('TERMS_CONSENT_REQUIRED')
}

export type SignedConsent = { userId: bigint; version: string; language: TermsLanguage; at: Date }

/**
 * Records the consent that a wallet signed when it registered, to the version that the signed message named.
 * @throws Refusal `CHALLENGE_EXPIRED` if this software does not know that version, because of an upgrade in between
 */
export async function recordSignedConsent(
  settings: TermsSettings,
  tx: Tx,
  { userId, version, language, at }: SignedConsent,
): Promise<void> {
  const terms = await termsOfVersion(settings, tx, version)
  if (terms === undefined) throw new Refusal('CHALLENGE_EXPIRED')
  await insertConsent(tx, {
    user_id: userId,
    version,
    language,
    text_sha256: terms.hashes[language],
    accepted_at: at,
  })
}

export type Acceptance = {
  userId: bigint
  version: string
  language: TermsLanguage
  sha256: string
}

/**
 * Records that a user accepts the text that was shown.
 * @throws Refusal `TERMS_CHANGED` if that is not the text in force
 */
export async function acceptTerms(
  deps: ConsentDeps & { db: Db },
  { userId, version, language, sha256 }: Acceptance,
): Promise<void> {
  const at = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    const terms = await termsInForce(deps, tx, at)
    const text_sha256 = terms.hashes[language]
    if (terms.version !== version || text_sha256.toString('hex') !== sha256) {
      throw new Refusal('TERMS_CHANGED')
    }
    await insertConsent(tx, { user_id: userId, version, language, text_sha256, accepted_at: at })
  })
}
