import { LANGUAGES, type Language } from '@dct/api-contract/languages'
import { cleanText } from '@dct/rules/clean-text'
import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { type Clock, latestPossible } from '../../platform/clock.ts'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { DeliveryError } from '../../platform/outbox/channels/channel.ts'
import { callTelegram, type TelegramBot } from '../../platform/outbox/channels/telegram-api.ts'
import { languageOf } from './choices.ts'
import { messageText, SETTINGS_PAGE } from './delivery/render.ts'
import { linkChat } from './link-telegram.ts'
import { own } from './messages.tables.ts'

/** Between two requests for updates. */
const PAUSE_MS = 2_000
/** Longer than requesting updates and handling all of them takes. */
const LEASE_MS = 60_000
const MOST_UPDATES = 20
const LONGEST_NAME = 300

type BotDeps = {
  db: Db
  realClock: Clock
  bot: TelegramBot
  site: { origin: string }
}

/** A message that somebody has written to the bot. */
type Update = { id: number; chatId: string; name: string; language: string; text: string }

/**
 * Reads messages to the bot, and links the chats of holders who start it with their code. Several may run; only one
 * reads at a time.
 */
export function createBotLoop(deps: BotDeps): Loop {
  let isKnown = false
  return {
    name: 'telegram bot',
    // People can write to the bot at any time.
    isDrained: false,
    pauseMs: PAUSE_MS,
    async step() {
      const now = deps.realClock.now()
      if (!(await takeLease(deps.db, now))) return true
      try {
        if (!isKnown) await storeName(deps)
        isKnown = true
        for (const update of await readUpdates(deps)) await answer(deps, update)
      } finally {
        await own(deps.db).updateTable('message_bot').set({ taken_until: now }).execute()
      }
      return true
    },
  }
}

async function takeLease(db: Db, now: Date): Promise<boolean> {
  const taken_until = new Date(now.getTime() + LEASE_MS)
  const taken = await own(db)
    .insertInto('message_bot')
    .values({ username: null, taken_until })
    .onConflict((conflict) =>
      conflict
        .column('single')
        .doUpdateSet({ taken_until })
        .where(({ or, eb }) =>
          or([
            eb('message_bot.taken_until', '<=', now),
            // Longer than anyone may hold it: a clock was wrong.
            eb('message_bot.taken_until', '>', latestPossible(taken_until)),
          ]),
        ),
    )
    .executeTakeFirst()
  return (taken.numInsertedOrUpdatedRows ?? 0n) > 0n
}

const BOT = Type.Object({ username: Type.String({ pattern: '^\\w{1,64}$' }) })

/** Stores the bot's name. Each bot numbers its own updates, so those of a new bot are read from the start. */
async function storeName({ db, bot }: BotDeps): Promise<void> {
  const found = await callTelegram(bot, 'getMe', {})
  if (!Value.Check(BOT, found)) throw new DeliveryError('Telegram does not name the bot.')
  const { username } = found
  await own(db)
    .updateTable('message_bot')
    .set({ username, next_update: 0n })
    .where('username', 'is distinct from', username)
    .execute()
}

/** What somebody has written, and who: as much of it as is used. */
const WRITTEN = Type.Object({
  chat: Type.Object({ id: Type.Integer() }),
  from: Type.Optional(
    Type.Object({
      username: Type.Optional(Type.String()),
      first_name: Type.Optional(Type.String()),
      language_code: Type.Optional(Type.String()),
    }),
  ),
  text: Type.Optional(Type.String()),
})
type Written = Static<typeof WRITTEN>
const UPDATES = Type.Array(
  Type.Object({ update_id: Type.Integer(), message: Type.Optional(Type.Unknown()) }),
)

async function readUpdates({ db, bot }: BotDeps): Promise<Update[]> {
  const { next_update: next } = await own(db)
    .selectFrom('message_bot')
    .select('next_update')
    .executeTakeFirstOrThrow()
  const found = await callTelegram(bot, 'getUpdates', {
    ...{ offset: Number(next), limit: MOST_UPDATES, timeout: 0, allowed_updates: ['message'] },
  })
  if (!Value.Check(UPDATES, found)) throw new DeliveryError('Telegram sent no list of updates.')
  return found.map(({ update_id: id, message }) => {
    // One that does not fit is read like any other, or it would be sent again for ever.
    const { chat, from, text = '' } = Value.Check(WRITTEN, message) ? message : NOTHING
    const language = from?.language_code ?? ''
    return { id, chatId: `${chat?.id ?? ''}`, name: nameOf(from), language, text }
  })
}
const NOTHING: Partial<Written> = {}

function nameOf({ username, first_name = '' }: Written['from'] = {}): string {
  return cleanText(username === undefined ? first_name : `@${username}`, LONGEST_NAME)
}

/** Links the chat if the message contains a code, replies with the result, and records that the update was read. */
async function answer({ db, realClock, bot, site }: BotDeps, update: Update): Promise<void> {
  const [isStart, code] = /^\/start(?: ([\w-]{1,64}))?$/.exec(update.text) ?? []
  const userId = await inTransaction(db, async (tx) => {
    await own(tx)
      .updateTable('message_bot')
      .set({ next_update: sql<bigint>`greatest(next_update, ${update.id + 1})` })
      .execute()
    const at = realClock.now()
    return code === undefined ? undefined : linkChat(tx, { ...update, code, at })
  })
  if (isStart === undefined) return
  const language = userId === undefined ? known(update.language) : await languageOf(db, userId)
  const text =
    userId === undefined
      ? messageText(language, 'chatCodeInvalid', { link: `${site.origin}${SETTINGS_PAGE}` })
      : messageText(language, 'chatLinked', { site: site.origin })
  await callTelegram(bot, 'sendMessage', { chat_id: update.chatId, text })
}

function known(language: string): Language {
  return Object.hasOwn(LANGUAGES, language) ? (language as Language) : 'en'
}
