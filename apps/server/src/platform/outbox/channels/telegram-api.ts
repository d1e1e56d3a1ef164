import { DeliveryError } from './channel.ts'
import { post } from './post.ts'

/** A bot: the address of the Bot API, and the bot's token. */
export type TelegramBot = { api: string; token: string }

const LONGEST_ANSWER = 256 * 1_024
/** The chat is gone: the user has blocked the bot or deleted the account, or the chat never existed. */
const GONE = /blocked by the user|user is deactivated|chat not found/i

/**
 * Calls Telegram's Bot API. No error contains the URL, because the token is part of it.
 * @returns the result, as Telegram describes it
 * @throws DeliveryError
 */
export async function callTelegram(
  { api, token }: TelegramBot,
  method: string,
  values: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const answer = await post(`${api}/bot${token}/${method}`, {
    body: JSON.stringify(values),
    headers: {},
    // The operator configures it, and it may be their own Bot API server.
    mayReach: () => true,
    longestAnswer: LONGEST_ANSWER,
  })
  const { result, description, retryAfterMs } = read(answer.body)
  if (answer.status === 200) return result
  throw new DeliveryError(`Telegram answered ${answer.status}: ${description}`, {
    retryAfterMs: Math.max(retryAfterMs, answer.retryAfterMs),
    isGone: GONE.test(description),
  })
}

function read(body: string): { result: unknown; description: string; retryAfterMs: number } {
  try {
    const { result, description, parameters } = JSON.parse(body) as {
      result?: unknown
      description?: unknown
      parameters?: { retry_after?: unknown }
    }
    return {
      result,
      description: typeof description === 'string' ? description : 'no reason given',
      retryAfterMs: 1_000 * (Number(parameters?.retry_after) || 0),
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { result: undefined, description: 'not JSON', retryAfterMs: 0 }
  }
}
