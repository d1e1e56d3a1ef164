import { latestPossible } from '../../platform/clock.ts'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import { own } from './auth.tables.ts'
import type { ChallengeFacts } from './challenge-text.ts'

/** The maximum number of unused challenges per caller and address; beyond it, the oldest are dropped. */
const MAX_LIVE_PER_ADDRESS = 5
/** The maximum number of unused challenges per caller over all addresses. */
const MAX_LIVE_PER_CALLER = 2_000
/** The maximum number of challenges dropped at once. */
const DROPPED_AT_ONCE = 50

const COLUMNS = [
  'purpose',
  'address',
  'payload',
  'nonce',
  'issued_at as issuedAt',
  'expires_at as expiresAt',
] as const

/** Stores a challenge and drops the caller's oldest ones above the limits. */
export async function insertChallenge(
  tx: Tx,
  challenge: ChallengeFacts & { originKey: string },
): Promise<void> {
  const address = Buffer.from(challenge.address)
  await own(tx)
    .insertInto('auth_challenge')
    .values({
      nonce: challenge.nonce,
      purpose: challenge.purpose,
      address,
      payload: challenge.payload,
      origin_key: challenge.originKey,
      issued_at: challenge.issuedAt,
      expires_at: challenge.expiresAt,
      used_at: null,
    })
    .execute()
  const dropBeyond = (query: ReturnType<typeof ofCaller>, kept: number) =>
    own(tx)
      .deleteFrom('auth_challenge')
      .where(
        'nonce',
        'in',
        query.orderBy('issued_at', 'desc').orderBy('nonce').offset(kept).limit(DROPPED_AT_ONCE),
      )
      .execute()
  await dropBeyond(
    ofCaller(tx, challenge.originKey).where('address', '=', address),
    MAX_LIVE_PER_ADDRESS,
  )
  await dropBeyond(ofCaller(tx, challenge.originKey), MAX_LIVE_PER_CALLER)
}

function ofCaller(tx: Tx, originKey: string) {
  return own(tx)
    .selectFrom('auth_challenge')
    .select('nonce')
    .where('origin_key', '=', originKey)
    .where('used_at', 'is', null)
}

/** Uses up a challenge: only one of any number of concurrent callers gets it. */
export async function consumeChallenge(
  tx: Tx,
  use: { nonce: string; now: Date },
): Promise<ChallengeFacts | undefined> {
  return (
    own(tx)
      .updateTable('auth_challenge')
      .set({ used_at: use.now })
      .where('nonce', '=', use.nonce)
      .where('used_at', 'is', null)
      .where('expires_at', '>', use.now)
      // One from the future would live too long.
      .where('issued_at', '<=', latestPossible(use.now))
      .returning(COLUMNS)
      .executeTakeFirst()
  )
}

export async function wasUsed(db: DbOrTx, nonce: string): Promise<boolean> {
  const row = await own(db)
    .selectFrom('auth_challenge')
    .select('nonce')
    .where('nonce', '=', nonce)
    .where('used_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}
