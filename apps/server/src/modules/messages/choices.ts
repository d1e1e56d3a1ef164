import { LANGUAGES, type Language } from '@dct/api-contract/languages'
import type { MessageChannel, MessageKind } from '@dct/api-contract/messages'
import type { Db, DbOrTx, Tx } from '../../platform/database/db.ts'
import { own } from './messages.tables.ts'

/** The language of a holder's messages; English by default. */
export async function languageOf(db: DbOrTx, userId: bigint): Promise<Language> {
  const row = await own(db)
    .selectFrom('message_language')
    .select('language')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const language = row?.language ?? 'en'
  return Object.hasOwn(LANGUAGES, language) ? (language as Language) : 'en'
}

export async function setLanguage(
  db: Db | Tx,
  { userId, language }: { userId: bigint; language: Language },
): Promise<void> {
  await own(db)
    .insertInto('message_language')
    .values({ user_id: userId, language })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ language }))
    .execute()
}

export type Choice = { userId: bigint; kind: MessageKind; channel: MessageChannel }

/** The messages that a holder has opted out of, as `kind channel`. */
export async function refusalsOf(db: DbOrTx, userId: bigint): Promise<ReadonlySet<string>> {
  const rows = await own(db)
    .selectFrom('message_refusal')
    .select(['kind', 'channel'])
    .where('user_id', '=', userId)
    .execute()
  return new Set(rows.map(({ kind, channel }) => `${kind} ${channel}`))
}

/** Sets whether a holder wants a kind of message on a channel. Applies to pending messages, too. */
export async function choose(
  db: Db | Tx,
  { isWanted, userId, kind, channel }: Choice & { isWanted: boolean },
): Promise<void> {
  if (isWanted) {
    await own(db)
      .deleteFrom('message_refusal')
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('channel', '=', channel)
      .execute()
    return
  }
  await own(db)
    .insertInto('message_refusal')
    .values({ user_id: userId, kind, channel })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
