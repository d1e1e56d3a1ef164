import { afterAll, beforeAll, expect } from 'vitest'
import { getPlanByCode } from '../modules/plans/index.ts'
import { type DescribedRoute, describedRoutes, pathOf } from './api-document.ts'
import { databaseState } from './database-state.ts'
import { dct } from './plans.ts'
import { type RealApp, type RealChains, startRealApp } from './real-app.ts'
import { givenStake } from './stakes.ts'
import { bearer, type TestUser } from './users.ts'

export type Target = { method: string; path: string; role?: DescribedRoute['role'] }
export type Answer = { status: number; code: unknown; message: unknown; text: string }

export type Probe = {
  real: RealApp
  routes: DescribedRoute[]
  /** Path parameters that refer to something that exists. */
  names: Record<string, string>
  /** Sends a request with the role that the route requires. */
  send(target: Target, body?: string | Buffer, headers?: Record<string, string>): Promise<Answer>
  /** Requests a list with a query. */
  ask(route: DescribedRoute, query: string): Promise<Answer>
  /** The session of somebody with the role that a route requires. */
  headersOf(role: DescribedRoute['role']): Record<string, string>
}

const PATIENCE_MS = 180_000

/** The whole server for all tests of a file, with enough data that none of a holder's lists is empty. */
export function useProbe(chains: () => RealChains): () => Probe {
  let probe: Probe | undefined
  beforeAll(async () => {
    const real = await startRealApp(chains())
    const holder = await real.givenUser()
    const admin = await real.givenUser({ role: 'admin' })
    const headersOf: Probe['headersOf'] = (role) =>
      role === 'public' ? {} : bearer(role === 'admin' ? admin : holder)
    const send = createSend(real, headersOf)
    const names = { id: `${holder.id}`, code: 'PLAN-360' }
    const ask: Probe['ask'] = (route, query) =>
      send({ ...route, path: `${pathOf(route, names)}?${query}` })
    probe = { real, routes: await describedRoutes(real.app), names, send, ask, headersOf }
    await givenHistory(probe, holder)
  }, PATIENCE_MS)
  afterAll(() => probe?.real.stop())
  return () => {
    if (probe === undefined) throw new Error('the server has not started')
    return probe
  }
}

function createSend({ app }: RealApp, headersOf: Probe['headersOf']): Probe['send'] {
  return async ({ method, path, role = 'public' }, body, headers = JSON_TYPE) => {
    const response = await app.inject({
      method: method as 'GET',
      url: path,
      headers: { ...(body === undefined ? {} : headers), ...headersOf(role) },
      ...(body === undefined ? {} : { payload: body }),
    })
    const isJson = String(response.headers['content-type']).includes('json')
    const { code, message } = isJson && response.body !== '' ? response.json() : {}
    return { status: response.statusCode, code, message, text: response.body }
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Creates a stake with a week of rewards, and a claim that awaits its fee. */
async function givenHistory({ real, send }: Probe, holder: TestUser): Promise<void> {
  const plan = await getPlanByCode(real.context.db, 'PLAN-360')
  if (plan === undefined) throw new Error('devnet has no plan')
  await givenStake(real.stakeDeps, { plan, staker: holder.address, amount: dct('50') })
  const advanced = await send({ method: 'POST', path: '/devnet/advance' }, '{"days":8}')
  expect(advanced).toMatchObject({ status: 200 })
  const claimed = await send(
    { method: 'POST', path: '/api/user/claim', role: 'user' },
    '{"earning_plan_code":"PLAN-360","claim_type":"FULL"}',
  )
  expect(claimed).toMatchObject({ status: 200 })
}

/** A route with its parameters filled in, to send a request to. */
export const at = (route: DescribedRoute, values?: Record<string, string>) => ({
  ...route,
  path: pathOf(route, values),
})

/** A tenth of the columns: ten or more routes in turn cover all columns of the database. */
export const turnOf = (columns: readonly string[], index: number) =>
  columns.filter((_, place) => place % 10 === index % 10)

export const nameOf = ({ method, path }: Target) => `${method} ${path}`

const INSIDE = /select |insert |\bat .*\.ts:|node_modules|syntax error/i

/** Collects unexpected responses, to report all of them together. */
export function collectOdd() {
  const odd: unknown[] = []
  const note = (what: unknown, { status, text }: Answer) =>
    odd.push([what, status, text.slice(0, 200)])
  /** Expects a refusal with a code that reveals no internals. */
  const refused = (what: unknown, answer: Answer, wanted: Partial<Answer> = {}) => {
    const { status, code, message, text } = answer
    const isRefusal =
      status >= 400 && status < 500 && typeof code === 'string' && typeof message === 'string'
    const isWanted = Object.entries(wanted).every(
      ([name, value]) => answer[name as keyof Answer] === value,
    )
    if (!isRefusal || !isWanted || INSIDE.test(text)) note(what, answer)
  }
  /** Expects any response except an internal error. */
  const answered = (what: unknown, answer: Answer) => {
    if (answer.status >= 500) note(what, answer)
    else if (answer.status >= 400) refused(what, answer)
  }
  return { odd, refused, answered }
}

/** @throws if the work changes any row of the database */
export async function expectUnchanged({ real }: Probe, work: () => Promise<unknown>) {
  const before = await databaseState(real.context.db)
  await work()
  expect(await databaseState(real.context.db)).toEqual(before)
}

/** Texts that have broken other programs. */
export const NASTY_TEXTS = [
  '\0',
  'a\0b',
  '\ud800',
  "' OR 1=1 --",
  "'; DROP TABLE app_user; --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '../../etc/passwd',
  '\u202etxt',
  '%00%ff',
  'NaN',
  '1e309',
  '-0',
  '9'.repeat(90),
  '1'.repeat(61),
  `1.${'0'.repeat(30)}1`,
  '٣',
  '１０',
  '💥',
  'x'.repeat(12_000),
  `0x${'f'.repeat(64)}`,
  `0x${'F'.repeat(40)}`,
  'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
]
