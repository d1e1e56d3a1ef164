import { DeliveryError } from './channel.ts'
import { isAccepted, post } from './post.ts'

/** A bot: the address of the Bot API, and the bot's token. */
export type TelegramBot = { api: string; token: string }

const LONGEST_ANSWER = 256 * 1_024
const FORBIDDEN = 403
/** The chat never existed. Everything else that is wrong with a chat, such as a blocked bot, is answered with 403. */
const NO_CHAT = /chat not found|peer_id_invalid|user not found/i
/** Whose outcome is known from the status alone. */
const SENDS = 'sendMessage'

/**
 * Calls Telegram's Bot API. No error contains the URL, because the token is part of it.
 * @returns the result, as Telegram describes it; undefined for `sendMessage`
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
    ...(method !== SENDS && { longestAnswer: LONGEST_ANSWER }),
  })
  if (method === SENDS && isAccepted(answer)) return undefined
  const { result, description, retryAfterMs } = read(answer.body)
  if (answer.status === 200) return result
  throw new DeliveryError(`Telegram answered ${answer.status}: ${description}`, {
    retryAfterMs: Math.max(retryAfterMs, answer.retryAfterMs),
    isGone: answer.status === FORBIDDEN || (answer.status === 400 && NO_CHAT.test(description)),
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
