import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { DeliveryError } from './channel.ts'
import { isAccepted, post } from './post.ts'

/** A bot: the address of the Bot API, and the bot's token. */
export type TelegramBot = {
  api: string
  token: string
  /** Told when Telegram has given a chat another id: a group that became a supergroup. */
  onMoved?(moved: MovedChat): void | Promise<void>
}
export type MovedChat = { from: string; to: string }

const LONGEST_ANSWER = 256 * 1_024
const FORBIDDEN = 403
/** The chat never existed. Everything else that is wrong with a chat, such as a blocked bot, is answered with 403. */
const NO_CHAT = /chat not found|peer_id_invalid|user not found/i
/** Whose outcome is known from the status alone. */
const SENDS = 'sendMessage'

/**
 * Calls Telegram's Bot API. No error contains the URL, because the token is part of it.
 * @returns the result, which the caller has to check; undefined for `sendMessage`
 * @throws DeliveryError
 */
export async function callTelegram(
  bot: TelegramBot,
  method: string,
  values: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const answer = await ask(bot, method, values)
  const { movedTo } = answer
  if (movedTo === undefined) return resultOf(answer)
  await bot.onMoved?.({ from: `${values.chat_id}`, to: movedTo })
  return resultOf(await ask(bot, method, { ...values, chat_id: movedTo }))
}

async function ask(
  { api, token }: TelegramBot,
  method: string,
  values: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const answer = await post(`${api}/bot${token}/${method}`, {
    body: JSON.stringify(values),
    headers: {},
    // The operator configures it, and it may be their own Bot API server.
    mayReach: () => true,
    ...(method !== SENDS && { longestAnswer: LONGEST_ANSWER }),
  })
  const { status } = answer
  if (method === SENDS && isAccepted(answer)) return { ...NO_ANSWER, isDone: true, status }
  const found = read(answer.body)
  const retryAfterMs = Math.max(found.retryAfterMs, answer.retryAfterMs)
  return { ...found, status, retryAfterMs, isDone: status === 200 }
}

/** @throws DeliveryError if Telegram has refused */
function resultOf({ status, isDone, result, description, retryAfterMs }: Answer): unknown {
  if (isDone) return result
  throw new DeliveryError(`Telegram answered ${status}: ${description}`, {
    retryAfterMs,
    isGone: status === FORBIDDEN || (status === 400 && NO_CHAT.test(description)),
  })
}

type Answer = Read & { status: number; isDone: boolean }
type Read = { result: unknown; description: string; retryAfterMs: number; movedTo?: string }

const NO_ANSWER: Read = {
  result: undefined,
  description: 'not what the Bot API answers',
  retryAfterMs: 0,
}

/** Its parts as far as they are used; whatever else a reply contains may be anything. */
const ANSWER = Type.Object({
  result: Type.Optional(Type.Unknown()),
  description: Type.Optional(Type.String()),
  parameters: Type.Optional(
    Type.Object({
      retry_after: Type.Optional(Type.Number({ minimum: 0 })),
      migrate_to_chat_id: Type.Optional(Type.Integer()),
    }),
  ),
})

function read(body: string): Read {
  const answer = parse(body)
  if (!Value.Check(ANSWER, answer)) return NO_ANSWER
  const { result, description = 'no reason given', parameters } = answer
  const movedTo = parameters?.migrate_to_chat_id
  return {
    ...{ result, description, retryAfterMs: 1_000 * (parameters?.retry_after ?? 0) },
    ...(Number.isSafeInteger(movedTo) ? { movedTo: `${movedTo}` } : {}),
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}
