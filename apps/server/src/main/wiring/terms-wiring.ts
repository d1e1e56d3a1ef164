import { termsValues } from '@dct/rules/terms-placeholders'
import {
  recordSignedConsent,
  requireConsent,
  type TermsSettings,
  termsInForce,
} from '../../modules/terms/index.ts'
import { type DbOrTx, sharedReads, type Tx } from '../../platform/database/db.ts'
import type { SessionUser } from '../../platform/http/http.ts'
import type { Context } from '../context.ts'

/** The values of the terms' placeholders in this installation. */
export function termsSettings({ config }: Pick<Context, 'config'>): TermsSettings {
  return { termsValues: termsValues({ supportEmail: config.supportEmail }) }
}

/** A guard for actions that require acceptance of the terms in force. */
export function consentGuard(context: Context): (user: SessionUser) => Promise<void> {
  const deps = { ...termsSettings(context), clock: context.clock }
  const db = sharedReads(context.db)
  return ({ id }) => requireConsent(deps, db, id)
}

export function readTermsVersion(context: Context): (db: DbOrTx) => Promise<string> {
  const settings = termsSettings(context)
  return async (db) => (await termsInForce(settings, db, context.clock.now())).version
}

export function recordConsent(context: Context) {
  const settings = termsSettings(context)
  return (tx: Tx, consent: Parameters<typeof recordSignedConsent>[2]) =>
    recordSignedConsent(settings, tx, consent)
}
