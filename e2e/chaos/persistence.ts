import { setTimeout as pause } from 'node:timers/promises'

export type Reply = { status: number; body: unknown }
export type Answered = Reply & {
  /** An earlier attempt got no response, so it may have succeeded. */
  wasUnknown: boolean
}

const PATIENCE_MS = 120_000
const PAUSE_MS = 60
/** With these statuses nothing happened, so the call can be repeated. */
const TRY_AGAIN = new Set([429, 502, 503, 504])

/** A response that is wrong even if the server has just crashed. */
export class BadAnswer extends Error {
  override name = 'BadAnswer'
}

/**
 * Repeats a call until it gets a response, because the server may be down. Only for calls that are safe to repeat.
 * @throws BadAnswer for an internal error of the server; Error if there is no response for too long
 */
export async function persist(what: string, ask: () => Promise<Reply>): Promise<Answered> {
  const deadline = performance.now() + PATIENCE_MS
  let wasUnknown = false
  let reply: Reply | undefined
  while (performance.now() < deadline) {
    reply = await askOnce(ask)
    if (reply !== undefined && !TRY_AGAIN.has(reply.status)) {
      if (reply.status >= 500) throw new BadAnswer(`${what}: ${describeReply(reply)}`)
      return { ...reply, wasUnknown }
    }
    wasUnknown ||= reply === undefined
    await pause(PAUSE_MS)
  }
  const last = reply === undefined ? 'none' : describeReply(reply)
  throw new Error(`${what}: no usable response in time; the last one was: ${last}`)
}

/** Makes a call once. @returns undefined without a complete response, if the server is down or died while responding */
export async function askOnce(ask: () => Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return undefined
    throw error
  }
}

export function describeReply({ status, body }: Reply): string {
  return `${status} ${JSON.stringify(body)}`
}

/** A refusal's error code. */
export function codeOf({ body }: Reply): string | undefined {
  if (typeof body !== 'object' || body === null || !('code' in body)) return undefined
  return typeof body.code === 'string' ? body.code : undefined
}

type Caller = { tryCall(method: string, path: string, body?: unknown): Promise<Reply> }

/** Makes a GET call and returns the response's body. @throws BadAnswer unless it succeeds */
export async function read<T>(caller: Caller, path: string): Promise<T> {
  const reply = await persist(path, () => caller.tryCall('GET', path))
  if (reply.status !== 200) throw new BadAnswer(`${path}: ${describeReply(reply)}`)
  return reply.body as T
}
