import type { Channel } from './channel.ts'
import { messageText, type Sender } from './message-text.ts'
import { callTelegram, type TelegramBot } from './telegram-api.ts'

export type TelegramDeps = TelegramBot & { chatId: string; sender: Sender }

/**
 * Sends alarms to a Telegram chat, and follows a group that becomes a supergroup. Telegram accepts no message ids from its
 * callers, so the text contains the id.
 */
export function createTelegramChannel({ chatId, sender, ...rest }: TelegramDeps): Channel {
  let current = chatId
  const bot: TelegramBot = {
    ...rest,
    onMoved({ to }) {
      current = to
    },
  }
  return {
    ...{ kind: 'telegram', receiver: chatId, isForAlarms: true, isForEvents: false },
    async probe() {
      await callTelegram(bot, 'getChat', { chat_id: current })
    },
    async send(message) {
      const { title, text } = messageText(message, sender)
      await callTelegram(bot, 'sendMessage', { chat_id: current, text: `${title}\n\n${text}` })
    },
  }
}
