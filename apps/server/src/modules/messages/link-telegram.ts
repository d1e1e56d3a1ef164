import type { Language } from '@dct/api-contract/languages'
import type { Clock } from '../../platform/clock.ts'
import { type Db, type DbOrTx, inTransaction, type Tx } from '../../platform/database/db.ts'
import { wakePages } from '../../platform/database/wake-pages.ts'
import { Refusal } from '../../platform/errors.ts'
import { insertChannel, removeChannels } from './channels.queries.ts'
import { setLanguage } from './choices.ts'
import { own } from './messages.tables.ts'
import { endTokens, findToken, issueToken } from './tokens.ts'

/** The bot's username without the `@`; null until a worker has reached the bot. */
export async function botName(db: DbOrTx): Promise<string | null> {
  const row = await own(db).selectFrom('message_bot').select('username').executeTakeFirst()
  return row?.username ?? null
}

/**
 * Creates the link that opens the bot and identifies the holder to it.
 * @throws Refusal `CHANNEL_NOT_OFFERED` if there is no bot
 */
export async function createTelegramLink(
  { db, realClock, isOffered }: { db: Db; realClock: Clock; isOffered: boolean },
  { userId, language }: { userId: bigint; language: Language },
): Promise<{ url: string; expiresAt: Date }> {
  const name = isOffered ? await botName(db) : null
  if (name === null) throw new Refusal('CHANNEL_NOT_OFFERED')
  return inTransaction(db, async (tx) => {
    await setLanguage(tx, { userId, language })
    await endTokens(tx, { userId, purpose: 'link_telegram' })
    const { token, expiresAt } = await issueToken(
      tx,
      { purpose: 'link_telegram', user_id: userId, channel_id: null, message_kind: null },
      realClock.now(),
    )
    return { url: `https://t.me/${name}?start=${token}`, expiresAt }
  })
}

/**
 * Links the chat in which somebody has started the bot with a link's code, replacing the holder's former chat.
 * @returns the holder's id; undefined for a code that is unknown, expired or used
 */
export async function linkChat(
  tx: Tx,
  { code, chatId, name, at }: { code: string; chatId: string; name: string; at: Date },
): Promise<bigint | undefined> {
  const found = await findToken(tx, { token: code, purpose: 'link_telegram' }, at)
  if (found === undefined) return undefined
  const userId = found.user_id
  await endTokens(tx, { userId, purpose: 'link_telegram' })
  await removeChannels(tx, { userId, kind: 'telegram' })
  await insertChannel(tx, {
    ...{ user_id: userId, kind: 'telegram', address: chatId, label: name, at },
    isConfirmed: true,
  })
  await wakePages(tx, [userId])
  return userId
}
