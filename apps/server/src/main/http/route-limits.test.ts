import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DescribedRoute, describedRoutes, pathOf } from '../../testing/api-document.ts'
import { type RealApp, startRealApp } from '../../testing/real-app.ts'
import { bearer } from '../../testing/users.ts'

const host = useChainHost()
const LIMIT = 2
/** A network's limit as a multiple of a user's, because several users of one network call here. */
const NETWORK_FACTOR = 3
let real: RealApp
let routes: DescribedRoute[]

beforeAll(async () => {
  const perUser = `${LIMIT}`
  real = await startRealApp(host(), {
    LIMIT_PER_MINUTE: perUser,
    LIMIT_NETWORK: `${NETWORK_FACTOR}`,
  })
  routes = (await describedRoutes(real.app)).filter(({ path }) => path.startsWith('/api/'))
}, 120_000)
afterAll(() => real.stop())

/** Calls a route with an invalid body until it returns 429. @returns the number of calls; 'never' after `most` */
async function callsUntilRefused(
  route: DescribedRoute,
  { most, ...caller }: { most: number; headers: Record<string, string>; remoteAddress: string },
): Promise<number | 'never'> {
  for (let calls = 1; calls <= most; calls += 1) {
    const { statusCode } = await real.app.inject({
      ...{ method: route.method, url: `${pathOf(route, {})}?nonsense=1`, ...caller },
      ...(route.method === 'GET' ? {} : { payload: { nonsense: 1 } }),
    })
    if (statusCode === 429) return calls
  }
  return 'never'
}

/**
 * The routes that never returned 429. `most` must exceed twice the limit, because a new minute allows as many calls
 * again.
 */
async function neverRefused(
  chosen: readonly DescribedRoute[],
  { most, of }: { most: number; of(route: DescribedRoute): Promise<Record<string, string>> },
): Promise<string[]> {
  const found: string[] = []
  for (const [at, route] of chosen.entries()) {
    const caller = { most, headers: await of(route), remoteAddress: `192.0.2.${at + 1}` }
    if ((await callsUntilRefused(route, caller)) === 'never') {
      found.push(`${route.method} ${route.path}`)
    }
  }
  return found
}

test('[T013] every call has a limit by user', async () => {
  const signedIn = routes.filter(({ role }) => role !== 'public')
  expect(signedIn.length).toBeGreaterThan(40)
  // Logging out ends the session that the next call would need.
  const lasting = signedIn.filter(({ path }) => !/auth\/(logout|sessions)$/.test(path))
  const of = async ({ role }: DescribedRoute) =>
    bearer(await real.givenUser({ role: role === 'admin' ? 'admin' : 'user' }))
  expect(await neverRefused(lasting, { most: 2 * LIMIT + 1, of })).toEqual([])
})

test('[T013] every call has a limit by network, signed in or not', async () => {
  const of = async () => ({})
  const most = 2 * LIMIT * NETWORK_FACTOR + 1
  expect(await neverRefused(routes, { most, of })).toEqual([])
})
