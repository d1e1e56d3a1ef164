import { parseAmount } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import { sql } from 'kysely'
import { addUser } from '../apps/server/src/modules/auth/register.ts'
import { postTransfers } from '../apps/server/src/modules/ledger/index.ts'
import {
  createDownlineLoop,
  createTreeCache,
  creditFee,
} from '../apps/server/src/modules/referrals/index.ts'
import { downlineFigures } from '../apps/server/src/modules/referrals/tree/downline-figures.queries.ts'
import { downlineTree } from '../apps/server/src/modules/referrals/tree/downline-tree.ts'
import {
  type ListDeps,
  listDirects,
  listDownline,
} from '../apps/server/src/modules/referrals/tree/list-downline.ts'
import { type Db, inTransaction } from '../apps/server/src/platform/database/db.ts'
import { everything } from '../apps/server/src/testing/all-tables.ts'
import { duration, type Figure, speed } from './figures.ts'
import { LINE, plant, WIDE } from './referral-shapes.ts'
import type { Report } from './results.ts'
import { latencyOf, timed } from './support.ts'

const PAGE = 10
const SORTS = ['level', 'created_at', 'tron_address', 'referral_code'] as const
const ORDERS = ['asc', 'desc'] as const
/** p99 budgets in milliseconds. `first`: pages that people open. `other`: all others. */
const BUDGET = { first: 50, other: 500 }
const ROUNDS = { first: 60, other: 12 }
const QUICK_ROUNDS = { first: 20, other: 4 }

type Kind = keyof typeof BUDGET
type Measure = (name: string, kind: Kind, work: (n: number) => Promise<unknown>) => Promise<void>

/** Benchmarks registrations, pages and turnover in a database with a chain of 10,000, a wide tree and a random tree. */
export async function benchReferrals(
  db: Db,
  report: Report,
  { rows: users, isQuick }: { rows: number; isQuick: boolean },
): Promise<void> {
  const run = { report, rounds: isQuick ? QUICK_ROUNDS : ROUNDS }
  const before = performance.now()
  const shapes = await plant(db, users)
  const planting = performance.now() - before
  const adding = await timed(() => updateAllTotals(db))
  await sql`vacuum analyze`.execute(db)
  report(`${users} users below each other`, {
    'added a second, one connection': speed(users / (planting / 1_000)),
    'added to the totals above, a second': speed(users / (adding / 1_000)),
  })
  const tree = createTreeCache()
  const reading = await timed(() => tree.read(db))
  report('the tree in memory', { 'read once, ms': duration(reading) })
  const tops = {
    'a line of 10,000': 1,
    'the middle of the line': LINE / 2,
    'the wide tree': WIDE,
    'the random tree': shapes.random,
    'a branch of the random tree': shapes.random + 7,
  }
  for (const [name, top] of Object.entries(tops)) {
    await section(run, name, async (measure) => {
      await measureWrites(db, measure, top)
      await measureFigures(db, measure, BigInt(top))
      await measurePages({ db, tree }, measure, BigInt(top))
    })
  }
  await section(run, 'direct referrals of the wide tree, as admins see them', (measure) =>
    measureDirects({ db, tree }, measure, BigInt(WIDE)),
  )
  await section(run, 'the last of the line', (measure) => measureWrites(db, measure, LINE))
  const updating = await timed(() => updateAllTotals(db))
  report('all of these registrations', { 'added to the totals, ms': duration(updating) })
}

/** Prints p50 and p99 of each figure and marks those over budget. */
async function section(
  { report, rounds }: { report: Report; rounds: typeof ROUNDS },
  title: string,
  work: (measure: Measure) => Promise<void>,
): Promise<void> {
  const figures: Record<string, Figure> = {}
  await work(async (name, kind, one) => {
    const each: number[] = []
    for (let n = 0; n < rounds[kind]; n += 1) each.push(await timed(() => one(n)))
    figures[name] = latencyOf(each, BUDGET[kind])
  })
  report(`${title}: p50 / p99, ms`, figures)
}

async function updateAllTotals(db: Db): Promise<void> {
  const { step } = createDownlineLoop({ db, pauseMs: 0 })
  while (!(await step()));
}

let registrations = 0
let fees = 0n

async function measureWrites(db: Db, measure: Measure, above: number): Promise<void> {
  const { depth } = await everything(db)
    .selectFrom('app_user')
    .select('depth')
    .where('id', '=', BigInt(above))
    .executeTakeFirstOrThrow()
  const referrer = { id: BigInt(above), depth } as Parameters<typeof addUser>[1]['referrer']
  await measure('registration', 'first', () => {
    registrations += 1
    const address = Buffer.alloc(20, 7)
    address.writeBigUInt64BE(BigInt(Math.floor(performance.timeOrigin)), 0)
    address.writeUInt32BE(registrations, 8)
    const user = { address, email: 'bench@example.org', role: 'user', referrer } as const
    return inTransaction(db, (tx) => addUser(tx, { ...user, at: new Date(0) }))
  })
  await measure('a fee of the one above', 'first', () => {
    fees += 1n
    const feeId = BigInt(Math.floor(performance.timeOrigin)) * 1_000_000n + fees
    const fee = { feeId, payerUserId: BigInt(above), feeUsdt: parseAmount('USDT', '10') }
    const paid = { ...fee, planCode: 'PLAN-360', at: new Date(0) }
    return inTransaction(db, async (tx) => {
      await postTransfers(tx, await creditFee({ directRateBps: 1_000n }, tx, paid))
    })
  })
}

async function measureFigures(db: Db, measure: Measure, top: bigint): Promise<void> {
  await measure('downline and turnover', 'first', () => downlineFigures(db, [top]))
  await measure('picture of the tree', 'first', () => downlineTree(db, top))
}

async function measurePages(deps: ListDeps, measure: Measure, top: bigint): Promise<void> {
  const page = (query: Partial<Parameters<typeof listDownline>[2]>) =>
    listDownline(deps, top, { page: 1, limit: PAGE, sort_by: 'level', sort_order: 'asc', ...query })
  const { total } = await page({})
  const last = Math.max(1, Math.ceil(total / PAGE))
  const pages = [...new Set([2, Math.min(300, last), Math.ceil(last / 2), last])]
  for (const sort_by of SORTS) {
    for (const sort_order of ORDERS) {
      const sort = { sort_by, sort_order }
      await measure(`${sort_by} ${sort_order}, page 1`, 'first', () => page(sort))
      await measure(`${sort_by} ${sort_order}, pages ${pages.join(', ')}`, 'other', (n) =>
        page({ ...sort, page: pages[n % pages.length] ?? 1 }),
      )
    }
  }
  for (const { name, kind, search } of await searchesFor(deps, top)) {
    await measure(`search, ${name}`, kind, () => page({ search }))
  }
}

async function measureDirects(deps: ListDeps, measure: Measure, top: bigint): Promise<void> {
  const page = (query: Partial<Parameters<typeof listDirects>[2]>) =>
    listDirects(deps, top, {
      ...{ page: 1, limit: PAGE, sort_by: 'created_at', sort_order: 'desc' },
      ...query,
    })
  const { total } = await page({})
  const last = Math.max(1, Math.ceil(total / PAGE))
  await measure('newest first, page 1', 'first', () => page({}))
  for (const sort_by of [...SORTS, 'total_locked_amount', 'total_referrals'] as const) {
    for (const sort_order of ORDERS) {
      const pages = [1, Math.ceil(last / 2), last]
      await measure(`${sort_by} ${sort_order}, pages ${pages.join(', ')}`, 'other', (n) =>
        page({ sort_by, sort_order, page: pages[n % pages.length] ?? 1 }),
      )
    }
  }
  for (const { name, kind, search } of await searchesFor(deps, top)) {
    await measure(`search, ${name}`, kind, () => page({ search }))
  }
}

/** Searches for an address and a code, from the first few characters to the full text. */
async function searchesFor(deps: ListDeps, top: bigint) {
  const [node] = (
    await listDownline(deps, top, { page: 3, limit: 10, sort_by: 'created_at', sort_order: 'desc' })
  ).nodes
  const address = formatTronAddress(node?.address ?? Buffer.alloc(20))
  const code = node?.referralCode ?? ''
  const first = { kind: 'first' } as const
  return [
    { ...first, name: 'the whole address', search: address },
    { ...first, name: '6 characters of an address', search: address.slice(0, 6) },
    { ...first, name: '4 characters of an address', search: address.slice(0, 4) },
    { ...first, name: 'a whole code', search: code },
    { ...first, name: '4 characters of a code', search: code.slice(0, 4) },
    { kind: 'other', name: '2 characters of an address', search: address.slice(0, 2) },
    { kind: 'other', name: '1 character of a code', search: code.slice(0, 1) },
  ] as const
}
