import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RouteRole } from '../../platform/http/route-rules.ts'
import { type DescribedRoute, describedRoutes, pathOf } from '../../testing/api-document.ts'
import { type RealApp, startRealApp } from '../../testing/real-app.ts'
import { bearer, type TestUser } from '../../testing/users.ts'

const host = useChainHost()
let real: RealApp
let routes: DescribedRoute[]
let holder: TestUser
let admin: TestUser

beforeAll(async () => {
  real = await startRealApp(host())
  routes = (await describedRoutes(real.app)).filter(({ path }) => path.startsWith('/api/'))
  holder = await real.givenUser()
  admin = await real.givenUser({ role: 'admin' })
}, 120_000)
afterAll(() => real.stop())

/** The public calls. Adding one is a deliberate decision, so it must be listed here as well. */
const PUBLIC = new Set([
  'GET /api/health',
  'GET /api/live',
  'GET /api/ready',
  'GET /api/config',
  'GET /api/public/reserves',
  'GET /api/public/owed',
  'GET /api/public/status',
  'GET /api/public/terms',
  'GET /api/public/privacy',
  'GET /api/public/cases/{token}',
  'POST /api/auth/challenge',
  'POST /api/auth/login',
  'POST /api/auth/register',
  'POST /api/messages/confirm-email',
  'POST /api/messages/push-renewal',
  'GET /api/messages/subscription',
  'GET /api/messages/unsubscribe',
  'POST /api/messages/unsubscribe',
])
/** Calls that every signed-in user may make, whatever their role. */
const ANYBODY =
  /^\/api\/(auth\/|user\/(messages(\/|$)|earning-plans$|earning-plan-lists$|earning-plans\/\{code\}\/check-quota$|downline-turnover))/
const FOR_ADMINS = /^\/api\/admin\//
const FOR_HOLDERS = /^\/api\/user\//

const nameOf = ({ method, path }: DescribedRoute) => `${method} ${path}`

function wantedRole(route: DescribedRoute): RouteRole {
  if (PUBLIC.has(nameOf(route))) return 'public'
  if (ANYBODY.test(route.path)) return 'any'
  if (FOR_ADMINS.test(route.path)) return 'admin'
  if (FOR_HOLDERS.test(route.path)) return 'user'
  throw new Error(`${nameOf(route)} has a path without a decided role`)
}

/** Every route in the printed route tree, with its methods. */
function routesIn(tree: string): string[] {
  const path: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', segment = '', methods = ''] =
      /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?/.exec(line) ?? []
    if (segment === '') return []
    path.splice(indent.length / 4, path.length, segment)
    const url = path.join('').replaceAll(/:(\w+)/g, '{$1}')
    const named = methods.split(', ').filter((method) => method !== '' && method !== 'HEAD')
    return url.startsWith('/api/') ? named.map((method) => `${method} ${url}`) : []
  })
}

/** Makes a call whose body, query and parameters no route accepts: the role is checked before them. */
async function call(route: DescribedRoute, headers: Record<string, string>, wrong = true) {
  const nonsense = Object.fromEntries(route.params.map(({ name }) => [name, 'nonsense']))
  const response = await real.app.inject({
    method: route.method,
    url: `${pathOf(route, wrong ? nonsense : {})}${wrong ? '?nonsense=1' : ''}`,
    headers: { ...headers, ...(wrong ? { 'content-type': 'text/nonsense' } : {}) },
    ...(wrong && route.method !== 'GET' ? { payload: '{nonsense' } : {}),
  })
  return { status: response.statusCode, body: response.json(), headers: response.headers }
}

type Answers = Record<string, unknown>
async function answersOf(
  chosen: readonly DescribedRoute[],
  headers: Record<string, string>,
): Promise<{ found: Answers; wanted(answer: unknown): Answers }> {
  const found: Answers = {}
  for (const route of chosen) {
    const { status, body } = await call(route, headers)
    found[nameOf(route)] = [status, body.code, typeof body.message]
  }
  return {
    found,
    wanted: (answer) => Object.fromEntries(chosen.map((route) => [nameOf(route), answer])),
  }
}
const NOT_SIGNED_IN = [401, 'NOT_SIGNED_IN', 'string']
const FORBIDDEN = [403, 'FORBIDDEN', 'string']

test('[T010] the OpenAPI document lists every route below /api, and each has the role of its path', () => {
  const table = routesIn(real.app.printRoutes({ commonPrefix: false }))
  const documented = routes.map(nameOf)
  expect(documented.length).toBeGreaterThan(40)
  const isDocument = (name: string) => /^GET \/api\/(openapi\.json$|docs)/.test(name)
  expect(table.filter((name) => !isDocument(name)).toSorted()).toEqual(documented.toSorted())
  const roles = (role: (route: DescribedRoute) => RouteRole) =>
    Object.fromEntries(routes.map((route) => [nameOf(route), role(route)]))
  expect(roles(({ role }) => role)).toEqual(roles(wantedRole))
})

test('[ROLE-16] [T010] a visitor is refused on every call except sign-in and public ones', async () => {
  const closed = routes.filter((route) => wantedRole(route) !== 'public')
  const tokens = [{}, { authorization: 'Bearer none' }, { authorization: 'Basic YTpi' }]
  for (const headers of tokens) {
    const { found, wanted } = await answersOf(closed, headers as Record<string, string>)
    expect(found).toEqual(wanted(NOT_SIGNED_IN))
  }
})

test("[ROLE-14] [T010] a holder's token is refused on every admin call, before anything else is checked", async () => {
  const ofAdmins = routes.filter((route) => wantedRole(route) === 'admin')
  expect(ofAdmins.length).toBeGreaterThan(12)
  const { found, wanted } = await answersOf(ofAdmins, bearer(holder))
  expect(found).toEqual(wanted(FORBIDDEN))
})

test("[ROLE-15] [T010] an admin's token is refused on every holder call", async () => {
  const ofHolders = routes.filter((route) => wantedRole(route) === 'user')
  const names = ofHolders.map(nameOf)
  for (const act of ['earnings', 'claim', 'pay-claim-fee', 'request-claim', 'cancel-claim']) {
    expect(names).toContain(`POST /api/user/${act}`)
  }
  const { found, wanted } = await answersOf(ofHolders, bearer(admin))
  expect(found).toEqual(wanted(FORBIDDEN))
})

test('[T010] the right role is let through everywhere', async () => {
  for (const route of routes) {
    const headers =
      route.role === 'public' ? {} : bearer(wantedRole(route) === 'admin' ? admin : holder)
    // Nothing happens without a valid body, but logging out needs no body.
    if (route.path === '/api/auth/logout' || route.path === '/api/auth/sessions') continue
    const { status } = await call(route, headers)
    expect([nameOf(route), status === 401 || status === 403]).toEqual([nameOf(route), false])
  }
})

test('[T010] a role claimed by the caller is ignored everywhere', async () => {
  const claims = { role: 'admin', 'x-role': 'admin', 'x-user-role': 'admin', cookie: 'role=admin' }
  for (const path of ['/api/admin/price', '/api/admin/payouts']) {
    for (const url of [path, `${path}?role=admin`, `${path}?token=${admin.token}`]) {
      const byHolder = await real.app.inject({ url, headers: { ...bearer(holder), ...claims } })
      expect([url, byHolder.statusCode]).toEqual([url, 403])
      const byVisitor = await real.app.inject({ url, headers: claims })
      expect([url, byVisitor.statusCode]).toEqual([url, 401])
    }
  }
})

test('[T010] no other notation of a path and no other method gives access', async () => {
  const notations = [
    ...[
      '/%61pi/admin/price',
      '/api/%61dmin/price',
      '/ap%69/admin/payouts?page=1',
      '/api/admin/price/',
    ],
    ...['//api/admin/price', '/api//admin/price', '/API/admin/price', '/api/Admin/price'],
    ...['/./api/admin/price', '/x/../api/admin/price', '/api/user/../admin/price'],
    ...[
      '/api/admin/price;role=admin',
      '/api/admin/price%00',
      '/api\\admin\\price',
      '/%2561pi/admin/price',
    ],
  ]
  for (const url of notations) {
    for (const headers of [{}, bearer(holder)]) {
      const { statusCode, body } = await real.app.inject({ url, headers })
      // Anything else is a page of the web app or not found.
      const isRefused =
        [400, 401, 403, 404].includes(statusCode) || body.startsWith('<!doctype html>')
      expect([url, statusCode, isRefused]).toEqual([url, statusCode, true])
    }
  }
  for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE'] as const) {
    const response = await real.app.inject({ method, url: '/api/admin/payouts' })
    expect([method, [401, 404, 405].includes(response.statusCode)]).toEqual([method, true])
  }
})

test('[T097] every response of every call, success or error, is private and has the security headers', async () => {
  for (const route of routes) {
    for (const headers of [{}, bearer(admin)]) {
      const answer = await call(route, headers)
      expect([nameOf(route), answer.headers]).toEqual([
        nameOf(route),
        expect.objectContaining({
          'cache-control': 'no-store',
          'content-type': expect.stringContaining('application/json'),
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'strict-origin-when-cross-origin',
          'cross-origin-resource-policy': 'same-origin',
          'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        }),
      ])
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
      expect(answer.headers).not.toHaveProperty('x-powered-by')
    }
  }
})

test('[T096, T097] no page may run or frame foreign content', async () => {
  for (const url of ['/', '/account', '/nowhere', '/api/docs']) {
    const { headers } = await real.app.inject(url)
    expect([url, headers]).toEqual([url, expect.objectContaining(PAGE_HEADERS)])
    expectStrict(String(headers['content-security-policy']))
  }
})

const PAGE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
}

function expectStrict(text: string) {
  const policy = new Map(
    text
      .split('; ')
      .map((part): [string, string] => [
        part.split(' ')[0] ?? '',
        part.split(' ').slice(1).join(' '),
      ]),
  )
  expect(policy.get('default-src')).toBe("'none'")
  expect(policy.get('script-src')).toBe("'self'")
  expect(policy.get('connect-src')).toBe("'self'")
  expect(policy.get('object-src')).toBe("'none'")
  expect(policy.get('base-uri')).toBe("'none'")
  expect(policy.get('frame-ancestors')).toBe("'none'")
  expect([...policy.values()].join(' ')).not.toMatch(/unsafe|\*|https?:/)
}

test('[T097] a foreign site can read nothing and can only send a simple form, which is refused', async () => {
  const foreign = { origin: 'https://evil.example', ...bearer(holder) }
  const preflight = await real.app.inject({
    method: 'OPTIONS',
    url: '/api/user/claim',
    headers: { ...foreign, 'access-control-request-method': 'POST' },
  })
  expect(preflight.headers).not.toHaveProperty('access-control-allow-origin')
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const form = await real.app.inject({
      method: 'POST',
      url: '/api/user/claim',
      headers: { ...foreign, 'content-type': type },
      payload: '{"claim_type":"FULL"}',
    })
    expect([type, form.statusCode, form.json().code]).toEqual([type, 415, 'JSON_EXPECTED'])
  }
})
