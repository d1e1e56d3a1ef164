import { formatTronAddress } from '@dct/rules/addresses'
import { type AdminRoutesDeps, adminRoutes } from '../apps/server/src/modules/admin/admin.routes.ts'
import type { DescribeUsersDeps } from '../apps/server/src/modules/auth/index.ts'
import {
  type ClaimsAdminRoutesDeps,
  claimsAdminRoutes,
} from '../apps/server/src/modules/claims/claims-admin.routes.ts'
import { codesOfClaims } from '../apps/server/src/modules/claims/index.ts'
import { earningsAdminRoutes } from '../apps/server/src/modules/earnings/earnings-admin.routes.ts'
import type { DescribeDeps } from '../apps/server/src/modules/earnings/lists/describe-earnings.ts'
import {
  type DescribeDeps as DescribePayoutsDeps,
  type PayoutsRoutesDeps,
  payoutsRoutes,
} from '../apps/server/src/modules/payouts/payouts.routes.ts'
import { createTreeCache, referralTotals } from '../apps/server/src/modules/referrals/index.ts'
import {
  type ReferralsAdminRoutesDeps,
  referralsAdminRoutes,
} from '../apps/server/src/modules/referrals/referrals-admin.routes.ts'
import type { ListDeps } from '../apps/server/src/modules/referrals/tree/list-downline.ts'
import { moneyRoutes } from '../apps/server/src/modules/treasury/money.routes.ts'
import { addDays, type BusinessDay, realClock } from '../apps/server/src/platform/clock.ts'
import type { Db } from '../apps/server/src/platform/database/db.ts'
import type { App } from '../apps/server/src/platform/http/http.ts'
import { describedRoutes } from '../apps/server/src/testing/api-document.ts'
import { createTestApp } from '../apps/server/src/testing/app.ts'
import { ManualClock } from '../apps/server/src/testing/manual-clock.ts'
import { bearer, givenUser, type TestUser } from '../apps/server/src/testing/users.ts'
import {
  addressOf,
  BUSY_USER,
  FIRST_STAKE_DAY,
  fillAdminLists,
  hashOf,
  type ListRows,
  NOW,
  TODAY,
} from './admin-rows.ts'
import { duration, type Figure } from './figures.ts'
import type { Report } from './results.ts'
import { latencyOf, timed } from './support.ts'

/**
 * p99 budgets in milliseconds. `open`: opening a list, searching it, filtering it by user. `other`: all other pages and
 * orders.
 */
const BUDGET = { open: 50, other: 500 }
const TEN_YEARS = 3_650
const ROUNDS = { open: 40, other: 10 }
const QUICK_ROUNDS = { open: 10, other: 2 }
/** A case that takes longer than this in total is not repeated. */
const PATIENCE_MS = 2_000

type Kind = keyof typeof BUDGET
type Query = Readonly<Record<string, string | number>>
/** A request, which asks for a different user in each round. */
type Case = { name: string; kind: Kind; query: (user: number) => Query }
type List = {
  path: string
  /** Searches and filters in addition to searches by the beginning of an address. */
  cases?: readonly Case[]
  hasAddressSearch?: boolean
  /** A day that has rows; absent if the list cannot be filtered by date. */
  day?: BusinessDay
}

const address = (user: number) => formatTronAddress(addressOf(user))
const code = (user: number) => `CL-${user.toString(16).toUpperCase().padStart(16, '0')}`
const hex = (bytes: Buffer) => bytes.toString('hex')
const opened = (name: string, query: Case['query']): Case => ({ name, kind: 'open', query })
const other = (name: string, query: Case['query']): Case => ({ name, kind: 'other', query })

const ANY_DAY = '2026-06-15' as BusinessDay
const STAKE_DAY = addDays(FIRST_STAKE_DAY, 5)
const joinHash = opened('search, a hash', (user) => ({ search: hex(hashOf('j', user)) }))
const ofPlan = other('of a plan', () => ({ earning_plan_code: 'PLAN-360' }))
const claimCases = [
  opened('search, a code', (user) => ({ search: code(user) })),
  opened('search, a hash', (user) => ({ search: hex(hashOf('l', user)) })),
  opened('of a user', (user) => ({ tron_address: address(user) })),
  other('of a plan', () => ({ plan_code: 'PLAN-360' })),
]
const stakes = { hasAddressSearch: true, day: STAKE_DAY }
const LISTS_OF_STAKES: readonly List[] = [
  { path: '/admin/user-earnings', ...stakes, cases: [joinHash, ofPlan] },
  { path: '/admin/daily-user-earnings', ...stakes, cases: [joinHash, ofPlan] },
  { path: '/admin/user-earning-history', ...stakes, cases: [joinHash, ofPlan] },
  { path: '/admin/transactions', ...stakes, cases: [joinHash, ofPlan] },
  { path: '/admin/reward-distribution-history', ...stakes, cases: [joinHash, ofPlan] },
]
const LISTS: readonly List[] = [
  {
    path: '/admin/users',
    hasAddressSearch: true,
    cases: [
      opened('search, an e-mail address', (user) => ({ search: user.toString(16) })),
      opened('search, 4 characters of a code', () => ({ search: 'ABCD' })),
      opened('with a percentage', () => ({ filter_reward_percentage: 'true' })),
    ],
  },
  ...LISTS_OF_STAKES,
  { path: '/admin/claim-history', hasAddressSearch: true, day: ANY_DAY, cases: claimCases },
  { path: '/admin/user-claim-history', hasAddressSearch: true, day: ANY_DAY, cases: claimCases },
  {
    path: '/admin/unmatched-payments',
    day: ANY_DAY,
    cases: [
      opened('search, a hash', (user) => ({ search: `0x${hex(hashOf('f', user))}` })),
      opened('search, a sender', (user) => ({ search: `0x${hex(addressOf(user))}` })),
      other('settled', () => ({ state: 'settled' })),
      other('refunded', () => ({ state: 'refunded' })),
    ],
  },
  {
    path: '/admin/payouts',
    day: ANY_DAY,
    cases: [
      opened('search, an address', (user) => ({ search: address(user) })),
      opened('search, a hash', (user) => ({ search: hex(hashOf('r', user)) })),
      opened('search, a cause', (user) => ({ search: `claim:${user}` })),
      opened('waiting', () => ({ state: 'waiting' })),
      other('final, by Tron', () => ({ state: 'final', chain: 'TRON' })),
    ],
  },
  {
    path: '/admin/referral-claim-pool',
    hasAddressSearch: true,
    day: ANY_DAY,
    cases: [
      opened('search, a hash', (user) => ({ search: `0x${hex(hashOf('r', user))}` })),
      opened('search, 8 digits of a BSC address', (user) => ({
        search: `0x${hex(addressOf(user)).slice(0, 8)}`,
      })),
      opened('search, an e-mail address', (user) => ({ search: user.toString(16) })),
      other('of a bonus', () => ({ bonus_type: 'direct bonus' })),
    ],
  },
  {
    path: `/admin/referral-reward-history/${BUSY_USER}`,
    hasAddressSearch: true,
    day: ANY_DAY,
    cases: [other('search, a plan', () => ({ search: 'PLAN-360' }))],
  },
  {
    path: `/admin/referral-reward-history/${BUSY_USER + 1}`,
    hasAddressSearch: true,
    day: ANY_DAY,
  },
  { path: `/admin/referral-claim-pool-history/${BUSY_USER}`, day: ANY_DAY },
  { path: `/admin/user-referrals/${BUSY_USER}`, hasAddressSearch: true },
  {
    path: '/admin/log',
    day: ANY_DAY,
    cases: [
      opened('search, a subject', (user) => ({ search: code(user) })),
      opened('of an admin', (user) => ({ tron_address: address((user % 5) + 1) })),
      other('of an action', () => ({ action: 'price.set' })),
    ],
  },
]

/** Not a list: it sums up as many rows as the lists have. */
const MONEY = { path: '/admin/money', cases: [other('debts and funds', () => ({}))] }

/** Benchmarks every admin list with this many rows behind each. */
export async function benchAdminLists(
  db: Db,
  report: Report,
  { rows, isQuick }: { rows: number; isQuick: boolean },
): Promise<void> {
  await fill(db, report, { rows, stakesFrom: FIRST_STAKE_DAY, isStakesOnly: false })
  await measureLists(db, report, { rows, isQuick, lists: LISTS })
}

/** Benchmarks the admin lists of stakes, and of their cycles, with stakes of ten years. */
export async function benchYears(
  db: Db,
  report: Report,
  { rows, isQuick }: { rows: number; isQuick: boolean },
): Promise<void> {
  await fill(db, report, { rows, stakesFrom: addDays(TODAY, -TEN_YEARS), isStakesOnly: true })
  await measureLists(db, report, { rows, isQuick, lists: LISTS_OF_STAKES })
}

async function fill(db: Db, report: Report, world: ListRows): Promise<void> {
  const filling = await timed(() => fillAdminLists(db, world))
  report(`${world.rows} rows behind each list`, { 'filled, s': duration(filling / 1_000, 1) })
}

async function measureLists(
  db: Db,
  report: Report,
  measured: { rows: number; isQuick: boolean; lists: readonly List[] },
): Promise<void> {
  const { rows, isQuick, lists } = measured
  const app = await startApp(db)
  const clock = new ManualClock(NOW)
  const admin = await givenUser({ db, clock, realClock }, { role: 'admin' })
  try {
    const setting = { app, admin, report, rows, rounds: isQuick ? QUICK_ROUNDS : ROUNDS }
    for (const list of lists) await measureList(setting, list)
    if (lists === LISTS) await measureCases(setting, MONEY, MONEY.cases)
  } finally {
    await app.close()
  }
}

/** The dependencies of the lists themselves, in every module. */
type ListingDeps = DescribeUsersDeps & DescribeDeps & DescribePayoutsDeps & ListDeps

async function startApp(db: Db): Promise<App> {
  const app = await createTestApp({ db, realClock })
  const clock = new ManualClock(NOW)
  const readReferralTotals = referralTotals
  const deps = {
    prefix: '/api',
    db,
    clock,
    dctDecimals: 6,
    readReferralTotals,
    tree: createTreeCache(),
    codesOfClaims,
  } satisfies ListingDeps & { prefix: string }
  // Only lists are requested, so the dependencies of actions are left out.
  type ActingDeps = Omit<
    AdminRoutesDeps & ClaimsAdminRoutesDeps & PayoutsRoutesDeps & ReferralsAdminRoutesDeps,
    keyof typeof deps
  >
  const all = { ...deps, ...({ payouts: 'automatic' } as unknown as ActingDeps) }
  await app.register(adminRoutes, all)
  await app.register(earningsAdminRoutes, all)
  await app.register(claimsAdminRoutes, all)
  await app.register(payoutsRoutes, all)
  await app.register(referralsAdminRoutes, all)
  await app.register(moneyRoutes, { ...deps, realClock })
  return app
}

type Setting = {
  app: App
  admin: TestUser
  report: Report
  rows: number
  rounds: Readonly<Record<Kind, number>>
}
type Frame = { total: number; totalPages: number }

/** Measures every order, search and filter that a list supports. */
async function measureList(setting: Setting, list: List): Promise<void> {
  const cases = [...(await orderCases(setting, list)), ...(await filterCases(setting, list))]
  await measureCases(setting, list, cases)
}

/** Prints p50 and p99 of each case and marks those over budget. */
async function measureCases(setting: Setting, list: List, cases: readonly Case[]): Promise<void> {
  const figures: Record<string, Figure> = {}
  for (const one of cases) {
    const each: number[] = []
    let spent = 0
    for (let n = 0; n < setting.rounds[one.kind] && spent < PATIENCE_MS; n += 1) {
      const query = one.query(userOf(setting, n))
      const took = await timed(() => ask(setting, list, query))
      each.push(took)
      spent += took
    }
    figures[one.name] = latencyOf(each, BUDGET[one.kind])
  }
  setting.report(`${list.path}: p50 / p99, ms`, figures)
}

/** A different user in each round. */
function userOf({ rows }: Setting, n: number): number {
  return ((n * 7_919 + Math.floor(rows / 3)) % (rows - 100)) + 100
}

/** The first and the last page in every order that the list supports. */
async function orderCases(setting: Setting, list: List): Promise<Case[]> {
  const { sorts, standard } = await sortsOf(setting.app, list)
  const last = lastPage(await ask(setting, list, {}))
  const cases = [
    opened('first page', () => ({})),
    other(`last page, ${last}`, () => ({ page: last })),
  ]
  for (const sort_by of sorts) {
    for (const sort_order of ['asc', 'desc']) {
      const order = { sort_by, sort_order }
      const name = `${sort_by} ${sort_order}`
      if (name !== standard) {
        cases.push(other(`${name}, first`, () => order))
        cases.push(other(`${name}, last`, () => ({ ...order, page: last })))
      }
    }
  }
  return cases
}

async function sortsOf(app: App, { path }: List) {
  const routes = await describedRoutes(app)
  const name = path.replace(/\d+$/, '{id}')
  const route = routes.find((one) => one.path === `/api${name}`)
  const schemaOf = (field: string) => route?.query.find((one) => one.name === field)?.schema
  const standard = `${schemaOf('sort_by')?.default} ${schemaOf('sort_order')?.default}`
  return { sorts: (schemaOf('sort_by')?.enum ?? []).map(String), standard }
}

async function filterCases(setting: Setting, list: List): Promise<Case[]> {
  const cases = [...(list.cases ?? [])]
  if (list.hasAddressSearch === true) {
    const begin = (signs: number) => (user: number) => ({ search: address(user).slice(0, signs) })
    cases.push(opened('search, 3 characters of an address', begin(3)))
    cases.push(opened('search, 8 characters of an address', begin(8)))
    cases.push(opened('search, a whole address', begin(34)))
    const search = address(userOf(setting, 0)).slice(0, 3)
    const last = lastPage(await ask(setting, list, { search }))
    cases.push(other(`search, 3 signs, last page, ${last}`, () => ({ search, page: last })))
  }
  if (list.day !== undefined) {
    const ranges = {
      'a day': { start_date: list.day, end_date: list.day },
      'a month': { start_date: list.day, end_date: addDays(list.day, 29) },
    }
    for (const [name, range] of Object.entries(ranges)) {
      const last = lastPage(await ask(setting, list, range))
      cases.push(other(name, () => range))
      cases.push(other(`${name}, last page, ${last}`, () => ({ ...range, page: last })))
    }
  }
  return cases
}

/** The last page that can be requested, because lists refuse deeper pages. */
function lastPage({ totalPages }: Frame): number {
  return Math.min(totalPages, 100_000)
}

async function ask({ app, admin }: Setting, { path }: List, query: Query): Promise<Frame> {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]))
  const response = await app.inject({ url: `/api${path}?${text}`, headers: bearer(admin) })
  if (response.statusCode !== 200) throw new Error(`${path}?${text}: ${response.body}`)
  return response.json()
}
