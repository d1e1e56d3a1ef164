import type { DbOrTx, Tx } from '../../platform/db.ts'
import './auth.tables.ts'
import type { ChallengeFacts } from './challenge-text.ts'

/** How many unused challenges one caller may have for one address; more drop the oldest. */
const MAX_LIVE_PER_ADDRESS = 5
/** And for all addresses together. */
const MAX_LIVE_PER_CALLER = 2_000
/** How many too many are dropped at once. */
const DROPPED_AT_ONCE = 50

const COLUMNS = [
  'purpose',
  'address',
  'payload',
  'nonce',
  'issued_at as issuedAt',
  'expires_at as expiresAt',
] as const

/** Stores a challenge and drops the caller's oldest ones beyond the bounds. */
export async function insertChallenge(
  tx: Tx,
  challenge: ChallengeFacts & { originKey: string },
): Promise<void> {
  const address = Buffer.from(challenge.address)
  await tx
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
  const own = (query: ReturnType<typeof ofCaller>, kept: number) =>
    tx
      .deleteFrom('auth_challenge')
      .where(
        'nonce',
        'in',
        query.orderBy('issued_at', 'desc').orderBy('nonce').offset(kept).limit(DROPPED_AT_ONCE),
      )
      .execute()
  await own(ofCaller(tx, challenge.originKey).where('address', '=', address), MAX_LIVE_PER_ADDRESS)
  await own(ofCaller(tx, challenge.originKey), MAX_LIVE_PER_CALLER)
}

function ofCaller(tx: Tx, originKey: string) {
  return tx
    .selectFrom('auth_challenge')
    .select('nonce')
    .where('origin_key', '=', originKey)
    .where('used_at', 'is', null)
}

/** Uses up a challenge: only the first of any number of callers gets it. */
export async function consumeChallenge(
  tx: Tx,
  use: { nonce: string; now: Date },
): Promise<ChallengeFacts | undefined> {
  return tx
    .updateTable('auth_challenge')
    .set({ used_at: use.now })
    .where('nonce', '=', use.nonce)
    .where('used_at', 'is', null)
    .where('expires_at', '>', use.now)
    .returning(COLUMNS)
    .executeTakeFirst()
}

export async function wasUsed(db: DbOrTx, nonce: string): Promise<boolean> {
  const row = await db
    .selectFrom('auth_challenge')
    .select('nonce')
    .where('nonce', '=', nonce)
    .where('used_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}
