import type { Channel } from './channel.ts'
import { messageText, type Sender } from './message-text.ts'
import { callTelegram, type TelegramBot } from './telegram-api.ts'

export type TelegramDeps = TelegramBot & { chatId: string; sender: Sender }

/** Sends alarms to a Telegram chat. Telegram accepts no message ids from its callers, so the text contains the id. */
export function createTelegramChannel({ chatId, sender, ...bot }: TelegramDeps): Channel {
  return {
    ...{ kind: 'telegram', receiver: chatId, isForAlarms: true, isForEvents: false },
    hasQuietHours: true,
    async probe() {
      await callTelegram(bot, 'getChat', { chat_id: chatId })
    },
    async send(message) {
      const { title, text } = messageText(message, sender)
      await callTelegram(bot, 'sendMessage', { chat_id: chatId, text: `${title}\n\n${text}` })
    },
  }
}
