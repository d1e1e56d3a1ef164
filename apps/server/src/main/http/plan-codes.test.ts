import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { expect, test } from 'vitest'
import { type DescribedRoute, pathOf, sampleOf } from '../../testing/api-document.ts'
import { type Answer, nameOf, useProbe } from '../../testing/request-probe.ts'

const probe = useProbe(useChainHost())

const FIELDS = ['plan_code', 'earning_plan_code']
/** Calls about a plan that does not exist yet. */
const OF_NEW_PLANS = /\/admin\/earning-plans(\/check|\/open-on-chain)?$/

const fieldOf = ({ body }: DescribedRoute) =>
  FIELDS.find((name) => Object.hasOwn(body?.properties ?? {}, name))
/** Returns an empty list for every plan here; `claims.routes.test.ts` tests it with entries. */
const EMPTY_HERE = '/api/user/get-claimed-rewards/{code}'
/** Parameters that are checked before the plan is looked up. */
const SOUND = { amount: '10', trx_hash: '0'.repeat(64), tx_hash_usdt: `0x${'0'.repeat(64)}` }

const namesPlan = (route: DescribedRoute) =>
  (route.path.includes('{code}') && !route.path.includes('/cases/')) ||
  (fieldOf(route) !== undefined && !(route.method === 'POST' && OF_NEW_PLANS.test(route.path)))

/** The response to a call that names a plan in this notation, in its path or body. */
function answerTo(route: DescribedRoute, code: string): Promise<Answer> {
  const path = pathOf(route, { ...probe().names, code })
  const field = fieldOf(route)
  if (route.body === undefined) return probe().send({ ...route, path })
  const sound = Object.entries(SOUND).filter(([name]) => name in (route.body?.properties ?? {}))
  const given = { ...Object.fromEntries(sound), ...(field && { [field]: code }) }
  const body = { ...(sampleOf(route.body) as object), ...given }
  return probe().send({ ...route, path }, JSON.stringify(body))
}

test('every path and body accepts a plan code in lower case and with surrounding spaces', async () => {
  const routes = probe().routes.filter((route) => namesPlan(route) && route.path !== EMPTY_HERE)
  expect(routes.length).toBeGreaterThan(7)
  const seen: Record<string, unknown> = {}
  const wanted: Record<string, unknown> = {}
  const indifferent: string[] = []
  for (const route of routes) {
    // The first call changes the state for the following ones.
    await answerTo(route, 'PLAN-360')
    const [exact, lenient] = [
      await answerTo(route, 'PLAN-360'),
      await answerTo(route, ' plan-360 '),
    ]
    const unknown = await answerTo(route, 'PLAN-NONE')
    const outcomeOf = ({ status, code, text }: Answer) => [status, code ?? text]
    seen[nameOf(route)] = outcomeOf(lenient)
    wanted[nameOf(route)] = outcomeOf(exact)
    if (`${outcomeOf(exact)}` === `${outcomeOf(unknown)}`) indifferent.push(nameOf(route))
  }
  expect(indifferent).toEqual([])
  expect(seen).toEqual(wanted)
})
