import type { PersonalChannel } from '../../../platform/outbox/channels/channel.ts'
import { callTelegram, type TelegramBot } from '../../../platform/outbox/channels/telegram-api.ts'
import { moveChat } from '../channels.queries.ts'
import { createHolderChannel, type HolderChannelDeps } from './holder-channel.ts'
import { messageText } from './render.ts'

/** Telegram accepts about 30 messages a second. */
const AT_ONCE = 5

/** Sends holders' messages to the chats in which they have started the bot. */
export function createHolderTelegramChannel(
  deps: HolderChannelDeps & { bot: TelegramBot },
): PersonalChannel {
  const bot: TelegramBot = { ...deps.bot, onMoved: (moved) => moveChat(deps.db, moved) }
  return createHolderChannel(deps, {
    ...{ kind: 'holder_telegram', atOnce: AT_ONCE },
    async send({ title, body, url, language, to }) {
      const link = messageText(language, 'open', { link: `${deps.site.origin}${url}` })
      await callTelegram(bot, 'sendMessage', {
        chat_id: to.address,
        text: `${title}\n\n${body}\n\n${link}`,
        link_preview_options: { is_disabled: true },
      })
    },
  })
}
