import { DeliveryError } from './channel.ts'
import { post } from './post.ts'

/** A bot: the address of the Bot API, and the bot's token. */
export type TelegramBot = { api: string; token: string }

const LONGEST_ANSWER = 256 * 1_024
/** The chat is over: its person has blocked the bot or deleted the account, or there has never been such a chat. */
const GONE = /blocked by the user|user is deactivated|chat not found/i

/**
 * Makes a call of Telegram's Bot API. No error names its address, because that contains the token.
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
    // The operator names it, and it may be a Bot API server of their own.
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
      description: typeof description === 'string' ? description : 'no reason',
      retryAfterMs: 1_000 * (Number(parameters?.retry_after) || 0),
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { result: undefined, description: 'no JSON', retryAfterMs: 0 }
  }
}
