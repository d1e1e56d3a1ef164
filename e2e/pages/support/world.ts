import { readFileSync } from 'node:fs'
import type { ConfigReply } from '@dct/api-contract/config'
import type { ErrorCode } from '@dct/api-contract/errors'
import { SUCCESSES } from '@dct/api-contract/successes'
import { collectKinds, strangeKinds } from './kinds.ts'
import { createPageChain } from './page-chain.ts'
import type { Asked, Told } from './page-service.ts'

/** The replies that the service gave, by call: see `outside/page-replies.spec.ts`. */
const recorded = JSON.parse(
  readFileSync(new URL('recorded.json', import.meta.url), 'utf8'),
) as Record<string, object>
const kinds = new Map(Object.entries(recorded).map(([name, reply]) => [name, collectKinds(reply)]))

/** Held by the service for as long as nothing changes. */
const CHANGES = 'GET /api/user/changes'

/** A reply, or what decides it. */
type Answer = object | ((asked: Asked) => object | Told | Promise<object | Told>)

/** What the service holds, as far as a test's pages ask for it. */
export type World = ReturnType<typeof createWorld>

/** The reply that the service gave to this call when the replies were recorded. */
export function recordedReply<T extends object>(route: string): T {
  const reply = recorded[route]
  if (reply === undefined) throw new Error(`No reply to ${route} is recorded`)
  return structuredClone(reply) as T
}

/** A world in which every recorded call answers as it did, until a test says otherwise. */
export function createWorld(url: string) {
  const answers = new Map<string, Answer>()
  const failing = new Map<string, Told>()
  const asked: Asked[] = []
  const chain = createPageChain(recordedReply<ConfigReply>('GET /api/config'))

  const replyTo = async (question: Asked): Promise<Told> => {
    const { route } = question
    if (route === CHANGES) return 'nothing'
    const failure = failing.get(route)
    if (failure !== undefined) return failure
    const own = answers.get(route)
    const given = typeof own === 'function' ? await own(question) : own
    if (given !== undefined && isTold(given)) return given
    const reply = given ?? standing(question, url) ?? chain.answer(question)
    if (reply === undefined) throw new Error(`The test does not say what ${route} answers`)
    const known = kinds.get(route)
    const strange = known === undefined ? [] : strangeKinds(known, collectKinds(reply))
    if (strange.length > 0) throw new Error(`${route}: ${strange.join(', ')}`)
    return { reply }
  }
  return {
    /** Everything that pages asked, oldest first. */
    asked,
    /** The node of Tron and the account of the page's wallet. */
    chain,
    tell(question: Asked): Promise<Told> {
      asked.push(question)
      return replyTo(question)
    },
    /** Sets what a call answers, such as `GET /api/admin/users`. */
    answer(route: string, answer: Answer): void {
      answers.set(route, answer)
    },
    /** Lets a call answer again as if the test had never said what. */
    forget(route: string): void {
      answers.delete(route)
    },
    /** Changes what a call answered when the replies were recorded. */
    alter<T extends object>(route: string, change: (reply: T) => object): void {
      answers.set(route, () => change(recordedReply<T>(route)))
    },
    /** Makes calls fail with an internal error whose body is not JSON. */
    breakDown(...routes: string[]): void {
      for (const route of routes) failing.set(route, { status: 500, text: 'oops' })
    },
    /** Has the service refuse a call with one of its own refusals. */
    refuse(route: string, code: ErrorCode, facts: Record<string, string | number> = {}): void {
      failing.set(route, { refusal: code, facts })
    },
    /** Has the service refuse a call with a message that no catalogue has. */
    say(route: string, message: string, code = 'SOME_REFUSAL'): void {
      failing.set(route, { status: 422, text: JSON.stringify({ message, code }) })
    },
    /** Leaves a call unanswered. */
    holdBack(...routes: string[]): void {
      for (const route of routes) failing.set(route, 'nothing')
    },
    /** Lets calls succeed again. */
    mend(...routes: string[]): void {
      for (const route of routes) failing.delete(route)
    },
  }
}

function isTold(given: object | Told): given is Told {
  if (given === 'nothing') return true
  return ['reply', 'file', 'refusal', 'text'].some((name) => Object.hasOwn(given as object, name))
}

/** What is granted whoever asks: steps before a wallet is asked for money, accepted terms, a language of messages. */
const GRANTED: Record<string, object> = {
  'POST /api/user/check-terms': { message: SUCCESSES.TERMS_ACCEPTED },
  'PUT /api/user/messages/language': { message: SUCCESSES.MESSAGE_LANGUAGE_SET },
  ...Object.fromEntries(
    ['user', 'admin'].flatMap((role) => [
      [`POST /api/${role}/money-steps`, { is_granted: true, may_confirm: false, steps: [] }],
      [`POST /api/${role}/money-steps/report`, { message: SUCCESSES.STEP_REPORTED }],
    ]),
  ),
}

/** What a call answers unless the test says something else. */
function standing({ route, role }: Asked, url: string): object | undefined {
  if (route === 'GET /api/auth/me' && role === 'admin') return recorded[`${route} admin`]
  const granted = GRANTED[route]
  if (granted !== undefined) return granted
  const reply = recorded[route]
  if (route !== 'GET /api/config') return reply
  return JSON.parse(JSON.stringify(reply).replaceAll('http://127.0.0.1:3000', url))
}

type Row = Record<string, unknown>

/**
 * A page of a list in memory, found, ordered and framed as the service does it: the query's other fields filter by the
 * column of the same name, `day` is the column that its days are about.
 */
export function listOf<T extends object>(
  name: string,
  items: readonly T[],
  { route, query }: Asked,
  { day }: { day?: keyof T & string } = {},
): object {
  const { page, limit, search, sort_by, sort_order, start_date, end_date, ...filters } = query
  const dayOf = (row: Row) => String(row[day ?? '']).slice(0, 'YYYY-MM-DD'.length)
  const found = (items as readonly Row[])
    .filter((row) => search === undefined || Object.values(row).some((text) => has(text, search)))
    .filter((row) => start_date === undefined || dayOf(row) >= String(start_date))
    .filter((row) => end_date === undefined || dayOf(row) <= String(end_date))
    .filter((row) => Object.entries(filters).every(([key, value]) => row[key] === value))
    .toSorted((a, b) => compare(a[String(sort_by)], b[String(sort_by)]))
  const ordered = sort_order === 'desc' ? found.toReversed() : found
  const [at, most] = [Number(page), Number(limit)]
  return {
    ...recordedReply(route),
    [name]: ordered.slice((at - 1) * most, at * most),
    ...{ total: found.length, totalPages: Math.max(1, Math.ceil(found.length / most)) },
    ...{ page: at, limit: most },
  }
}

function has(text: unknown, search: unknown): boolean {
  return typeof text === 'string' && text.toLowerCase().includes(String(search).toLowerCase())
}

function compare(a: unknown, b: unknown): number {
  const [one, other] = [Number(a), Number(b)]
  if (!Number.isNaN(one - other)) return one - other
  return String(a).localeCompare(String(b), 'en')
}
