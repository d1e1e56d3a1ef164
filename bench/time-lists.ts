import type { Dct } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import { listClaimable } from '../apps/server/src/modules/earnings/claimable.ts'
import {
  allOfDay,
  type RewardsScope,
} from '../apps/server/src/modules/earnings/lists/all-rewards.queries.ts'
import { readEarningFacts } from '../apps/server/src/modules/earnings/lists/earning-facts.queries.ts'
import {
  type AllRewardsQuery,
  findAllRewards,
} from '../apps/server/src/modules/earnings/lists/find-all-rewards.ts'
import { readScope } from '../apps/server/src/modules/earnings/lists/list-search.ts'
import { findHolderRewards } from '../apps/server/src/modules/earnings/lists/reward-rows.queries.ts'
import { addDays, type BusinessDay, startOfBusinessDay } from '../apps/server/src/platform/clock.ts'
import { inBatches } from '../apps/server/src/platform/database/batches.ts'
import type { Db } from '../apps/server/src/platform/database/db.ts'
import { type Spent, spending } from './spent.ts'

const LIMIT = 10
const ROUNDS = 40
/** The deepest row that a list can be paged to. */
const DEEPEST = 1_000_000

/** `rows`: the minimum number of rows in the lists, so that deep pages are equally deep at any time. */
export type ListWorld = { stakes: number; day: BusinessDay; rows: number }
/** A call, for a different holder in each round. */
type Call = (earning: number) => Promise<unknown>

/** Measures what the lists and files of one holder's and of all holders' cycles cost after that day, by name. */
export async function measureLists(db: Db, world: ListWorld): Promise<Record<string, Spent>> {
  const spent: Record<string, Spent> = {}
  const scope: RewardsScope = { search: { kind: 'all' }, range: {} }
  for (const [name, call] of Object.entries(calls(db, world, scope))) {
    await call(1)
    spent[name] = await spending(db, async () => {
      for (let n = 1; n <= ROUNDS; n += 1) await call(((n * 7_919) % world.stakes) + 1)
    })
  }
  spent['file of a day'] = await spending(db, () => readFile(db, scope, world.day))
  return spent
}

function calls(db: Db, { day, rows }: ListWorld, scope: RewardsScope): Record<string, Call> {
  const far = Math.floor(Math.min(DEEPEST, rows) / LIMIT)
  const middle = Math.floor(far / 2)
  const holder = (staker: Buffer, page: number, search?: string) =>
    findHolderRewards(db, {
      ...{ staker, page, limit: LIMIT, search, dctDecimals: 6, range: {} },
      ...{ sort: 'reward_date', direction: 'desc' },
    })
  const all = (page: number, query: Partial<AllRewardsQuery> = {}, of = scope) =>
    findAllRewards(db, of, {
      ...{ page, limit: LIMIT, sort: 'reward_date', direction: 'desc', ...query },
    })
  const range = { from: addDays(day, -6), to: day }
  const now = startOfBusinessDay(day)
  return {
    'all, first page': () => all(1),
    'all, middle page': () => all(middle),
    'all, far page': () => all(far),
    'all, by plan, middle page': () => all(middle, { sort: 'earning_plan_code' }),
    'all, a week, first page': () => all(1, {}, { ...scope, range }),
    'all, search of an address': async (n) => {
      const search = formatTronAddress(stakerOf(n))
      return all(1, {}, { ...scope, ...(await readScope(db, { search })) })
    },
    'holder, first page': (n) => holder(stakerOf(n), 1),
    'holder, last page': (n) => holder(stakerOf(n), 3),
    'holder, search of a day': (n) => holder(stakerOf(n), 1, day),
    'holder, claimable': (n) =>
      listClaimable(db, { staker: stakerOf(n), now, minimumClaim: 1n as Dct }),
    'holder, facts of a stake': (n) => readEarningFacts(db, { ids: [BigInt(n)], dctDecimals: 6 }),
  }
}

async function readFile(db: Db, scope: RewardsScope, day: BusinessDay): Promise<void> {
  const batches = inBatches(db, {
    queries: (tx) => [allOfDay(tx, scope, day)],
    describe: (_tx, rows) => rows,
  })
  let rows = 0
  for await (const batch of batches) rows += batch.length
  if (rows === 0) throw new Error(`the file of ${day} is empty`)
}

const stakerOf = (earning: number) => Buffer.from(earning.toString(16).padStart(40, '0'), 'hex')
