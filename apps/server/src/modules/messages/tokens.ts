import { createHash, randomBytes } from 'node:crypto'
import { DAY_MS } from '../../platform/clock.ts'
import type { Db, DbOrTx, Tx } from '../../platform/database/db.ts'
import { type MessagesTables, own } from './messages.tables.ts'

const HOUR_MS = 3_600_000
const TOKEN_BYTES = 24
/** An unsubscribe link must remain valid for as long as people keep the mail. */
const LIFETIMES_MS = { confirm_email: DAY_MS, unsubscribe: 90 * DAY_MS, link_telegram: HOUR_MS }

type NewToken = Pick<
  MessagesTables['message_token'],
  'purpose' | 'user_id' | 'channel_id' | 'message_kind'
>

/** Stores a new token's hash. @returns the token, which is not stored, and when it expires in real time */
export async function issueToken(
  db: Db | Tx,
  token: NewToken,
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const text = randomBytes(TOKEN_BYTES).toString('base64url')
  const expiresAt = new Date(now.getTime() + LIFETIMES_MS[token.purpose])
  await own(db)
    .insertInto('message_token')
    .values({ ...token, token_hash: hashOf(text), expires_at: expiresAt })
    .execute()
  return { token: text, expiresAt }
}

/** The stored facts of a token; undefined if it is unknown, expired or replaced. */
export async function findToken(
  db: DbOrTx,
  { token, purpose }: { token: string; purpose: NewToken['purpose'] },
  now: Date,
) {
  return own(db)
    .selectFrom('message_token')
    .select(['user_id', 'channel_id', 'message_kind'])
    .where('token_hash', '=', hashOf(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Ends a holder's tokens for one purpose. */
export async function endTokens(
  tx: Tx,
  { userId, purpose }: { userId: bigint; purpose: NewToken['purpose'] },
): Promise<void> {
  await own(tx)
    .deleteFrom('message_token')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .execute()
}

/** Removes expired tokens. */
export async function clearTokens(tx: Tx, now: Date): Promise<void> {
  await own(tx).deleteFrom('message_token').where('expires_at', '<', now).execute()
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
