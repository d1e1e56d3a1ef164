import { TERMS_VERSION } from '@dct/rules/constants'
import type { Context } from '../main/context.ts'
import { recordConsent } from '../main/wiring/terms-wiring.ts'
import { inTransaction } from '../platform/db.ts'

/** The consent to the terms of the software, which a registration would have recorded. */
export async function givenConsent(context: Context, user: { id: bigint }): Promise<void> {
  const consent = { userId: user.id, version: TERMS_VERSION, language: 'id' } as const
  await inTransaction(context.db, (tx) =>
    recordConsent(context)(tx, { ...consent, at: context.clock.now() }),
  )
}
