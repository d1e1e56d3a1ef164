import { setTimeout as pause } from 'node:timers/promises'

export type Reply = { status: number; body: unknown }
export type Answered = Reply & {
  /** A previous attempt got no response, so its action may have happened. */
  wasUnknown: boolean
}

const PATIENCE_MS = 120_000
const PAUSE_MS = 60
/** Nothing happened; the call can be repeated. */
const TRY_AGAIN = new Set([429, 502, 503, 504])

/** An answer that is wrong even when a server has just crashed. */
export class BadAnswer extends Error {
  override name = 'BadAnswer'
}

/**
 * Repeats a call until there is a response, because the server may be down. Only for calls that may be repeated.
 * @throws BadAnswer for a fault of the server; Error when nobody answers for long
 */
export async function persist(what: string, ask: () => Promise<Reply>): Promise<Answered> {
  const deadline = performance.now() + PATIENCE_MS
  let wasUnknown = false
  while (performance.now() < deadline) {
    const reply = await askOnce(ask)
    if (reply !== undefined && !TRY_AGAIN.has(reply.status)) {
      if (reply.status >= 500) throw new BadAnswer(`${what}: ${describeReply(reply)}`)
      return { ...reply, wasUnknown }
    }
    wasUnknown ||= reply === undefined
    await pause(PAUSE_MS)
  }
  throw new Error(`${what}: nobody answered`)
}

/** Undefined without a complete response: the server is down, or died while responding. */
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

/** The code of a refusal. */
export function codeOf({ body }: Reply): string | undefined {
  if (typeof body !== 'object' || body === null || !('code' in body)) return undefined
  return typeof body.code === 'string' ? body.code : undefined
}

type Caller = { tryCall(method: string, path: string, body?: unknown): Promise<Reply> }

/** The response of a reading call. @throws BadAnswer unless it succeeds */
export async function read<T>(caller: Caller, path: string): Promise<T> {
  const reply = await persist(path, () => caller.tryCall('GET', path))
  if (reply.status !== 200) throw new BadAnswer(`${path}: ${describeReply(reply)}`)
  return reply.body as T
}
