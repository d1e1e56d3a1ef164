import { type Channel, DeliveryError } from './channel.ts'
import { messageText, type Sender } from './message-text.ts'
import { post } from './post.ts'

export type TelegramDeps = { api: string; token: string; chatId: string; sender: Sender }

/** Sends alarms to a Telegram chat. Telegram knows no ids of its callers, so the text names the message's. */
export function createTelegramChannel({ api, token, chatId, sender }: TelegramDeps): Channel {
  const call = async (method: string, body: Record<string, string>) => {
    const answer = await post(`${api}/bot${token}/${method}`, {
      body: JSON.stringify({ chat_id: chatId, ...body }),
      headers: {},
      // The operator names it, and it may be a Bot API server of their own.
      mayReach: () => true,
    })
    if (answer.status === 200) return
    const { description, retryAfterMs } = readRefusal(answer.body)
    throw new DeliveryError(`Telegram answered ${answer.status}: ${description}`, {
      retryAfterMs: Math.max(retryAfterMs, answer.retryAfterMs),
    })
  }
  return {
    ...{ kind: 'telegram', receiver: chatId, isForAlarms: true, isForEvents: false },
    isHeard: true,
    async probe() {
      await call('getChat', {})
    },
    async send(message) {
      const { title, text } = messageText(message, sender)
      await call('sendMessage', { text: `${title}\n\n${text}` })
    },
  }
}

function readRefusal(body: string): { description: string; retryAfterMs: number } {
  try {
    const { description, parameters } = JSON.parse(body) as {
      description?: unknown
      parameters?: { retry_after?: unknown }
    }
    return {
      description: typeof description === 'string' ? description : 'no reason',
      retryAfterMs: 1_000 * (Number(parameters?.retry_after) || 0),
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { description: 'no JSON', retryAfterMs: 0 }
  }
}
