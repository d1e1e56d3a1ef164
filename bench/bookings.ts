import { amount, parseAmount, parseUnits } from '@dct/money'
import { sql } from 'kysely'
import { addUser } from '../apps/server/src/modules/auth/register.ts'
import { insertCursor } from '../apps/server/src/modules/chain/chain.queries.ts'
import { bytesOf, type ChainEvent, hexOf } from '../apps/server/src/modules/chain/index.ts'
import { onUsdtTransfer, type UsdtDeps } from '../apps/server/src/modules/claims/index.ts'
import { requestClaim } from '../apps/server/src/modules/claims/request-claim.ts'
import { bookStakingEvent } from '../apps/server/src/modules/earnings/index.ts'
import { account, postTransfers } from '../apps/server/src/modules/ledger/index.ts'
import { bookPoolEvent, type Plan } from '../apps/server/src/modules/plans/index.ts'
import { ensurePrice } from '../apps/server/src/modules/pricing/set-price.ts'
import { creditFee } from '../apps/server/src/modules/referrals/index.ts'
import { DAY_MS } from '../apps/server/src/platform/clock.ts'
import { type Db, inBooking, inTransaction, type Tx } from '../apps/server/src/platform/db.ts'
import { ManualClock } from '../apps/server/src/testing/manual-clock.ts'
import { dct } from '../apps/server/src/testing/plans.ts'
import {
  givenFundedPlan,
  hashOf,
  passDays,
  stakeDeps,
  stakeEvents,
} from '../apps/server/src/testing/stakes.ts'
import { percentile, type Report, timed } from './support.ts'

const AT_ONCE = 10
const BOOKINGS = 3_000
/** The number of events that the watcher finds in one range of blocks, and so books in one transaction. */
const IN_ONE = 100
const RECEIVER = `0x${'f1'.repeat(20)}` as const
const PLANS = 10

type Step = {
  name: string
  /** The arguments for `each`; 1 to `BOOKINGS` by default. */
  numbers?: number[]
  /** `AT_ONCE` by default. */
  atOnce?: number
  /** The number of bookings per call. */
  size?: number
  before?(): Promise<void>
  each(n: number): Promise<unknown>
}

/**
 * Everything that moves money, compared with single-row inserts, over ten connections. Each name states which rows the
 * bookings contend for. "As the watcher" is one connection that books a hundred events per transaction, in their order.
 */
export async function benchBookings(db: Db, report: Report): Promise<void> {
  await sql`create table bare (id bigint generated always as identity primary key, what text not null)`.execute(
    db,
  )
  const world = await createWorld(db)
  let bareMs: number | undefined
  for (const step of [...plainSteps(world), ...stakeSteps(world), ...claimSteps(world)]) {
    await step.before?.()
    const { name, numbers = range(1, BOOKINGS), atOnce = AT_ONCE, size = 1 } = step
    const took = await inParallel(step.each, { numbers, atOnce })
    const bookings = numbers.length * size
    const eachMs = took.ms / bookings
    bareMs ??= eachMs
    report(`${bookings} times: ${name}`, {
      'a second (500 or more)': (1_000 / eachMs).toFixed(0),
      'time, in bare transactions': (eachMs / bareMs).toFixed(2),
      'p50, ms': percentile(took.each, 0.5).toFixed(1),
      'p99, ms': percentile(took.each, 0.99).toFixed(1),
    })
  }
}

type World = Awaited<ReturnType<typeof createWorld>>

async function createWorld(db: Db) {
  const clock = new ManualClock('2026-01-10T03:00:00Z')
  const stakes = { ...stakeDeps({ db, clock }), clock }
  const plans: Plan[] = []
  for (const n of range(0, PLANS + 1)) {
    const facts = { code: `PLAN-${n}`, totalReward: '1000000', dailyLimit: '1000000' }
    plans.push(await givenFundedPlan(stakes, facts))
  }
  await ensurePrice({ db, clock }, parseUnits('1', 8))
  const head = { number: 1n, hash: hexOf(hashOf('head')), time: clock.now() }
  await insertCursor(db, {
    chain: 'BSC',
    at: head,
    seen: { final: head, headNumber: 1n, observedAt: clock.now() },
  })
  /** User ids by number. */
  const ids = new Map<number, bigint>()
  return { db, clock, stakes, plans, ids }
}

const THIRD = BOOKINGS / 3

function plainSteps({ db, clock, ids }: World): Step[] {
  const register = async (n: number, referrer?: { id: bigint; depth: number }) => {
    const { id } = await inTransaction(db, (tx) =>
      addUser(tx, {
        ...{ address: addressOf(n), email: 'bench@example.org', role: 'user', referrer },
        at: clock.now(),
      }),
    )
    ids.set(n, id)
  }
  return [
    {
      name: `bare transaction, ${AT_ONCE} at once`,
      each: (n) =>
        inTransaction(db, (tx) => sql`insert into bare (what) values (${`${n}`})`.execute(tx)),
    },
    {
      name: `ledger booking, ${AT_ONCE} at once`,
      each: (n) => inTransaction(db, (tx) => postTransfers(tx, [bookingOf(n)])),
    },
    {
      // Each user of the second third has a separate referrer; all others share one.
      name: `registration, ${AT_ONCE} at once`,
      before: () => register(0),
      each: (n) => {
        const hasOwn = n > THIRD && n <= 2 * THIRD
        return register(n, { id: idOf(ids, hasOwn ? n - THIRD : 0), depth: hasOwn ? 1 : 0 })
      },
    },
  ]
}

function stakeSteps({ db, clock, stakes, plans }: World): Step[] {
  const book = async (tx: Tx, n: number, place: number) => {
    const plan = plans[place]
    if (plan === undefined) throw new Error(`no plan ${place}`)
    const facts = { plan, staker: addressOf(n), amount: dct('50'), startedAt: clock.now() }
    for (const event of stakeEvents(facts)) {
      await bookPoolEvent(tx, event)
      await bookStakingEvent(stakes, tx, event)
    }
  }
  return [
    {
      name: `stake booking, ${AT_ONCE} at once, all in one plan`,
      each: (n) => inBooking(db, (tx) => book(tx, n, 0)),
    },
    {
      name: `stake booking, ${AT_ONCE} at once, in ${PLANS - 1} plans`,
      each: (n) => inBooking(db, (tx) => book(tx, n, 1 + (n % (PLANS - 1)))),
    },
    {
      name: 'stake booking, as the watcher, all in one plan',
      ...{ numbers: range(0, THIRD / IN_ONE - 1), atOnce: 1, size: IN_ONE },
      each: (n) =>
        inBooking(db, async (tx) => {
          for (const at of manyOf(n)) await book(tx, at, PLANS)
        }),
    },
  ]
}

function claimSteps({ db, clock, stakes, plans, ids }: World): Step[] {
  const claimed = new Map<number, bigint>()
  const claiming = {
    ...{ db, clock, dctDecimals: 6, priceMaxAgeMs: 365 * DAY_MS },
    ...{ energyFee: parseAmount('USDT', '0.10'), feeReceiver: bytesOf(RECEIVER) },
  }
  const settling: UsdtDeps = {
    clock,
    feeReceivers: [RECEIVER],
    payoutWallets: [`0x${'f2'.repeat(20)}`],
    creditReferrals: (tx, fee) => creditFee({ directRateBps: 1_000n }, tx, fee),
  }
  const settle = (tx: Tx, n: number) => {
    const value = claimed.get(n)
    if (value === undefined) throw new Error(`no fee ${n}`)
    return onUsdtTransfer(settling, tx, paymentOf(n, value, clock.now()))
  }
  return [
    {
      name: `HALF claim, ${AT_ONCE} at once`,
      before: () => passDays(stakes, 10).then(() => undefined),
      each: async (n) => {
        const user = { id: idOf(ids, n), address: addressOf(n) }
        const planCode = plans[0]?.code ?? ''
        const wish = { user, planCode, kind: 'HALF', maxFee: undefined } as const
        claimed.set(n, (await requestClaim(claiming, wish)).exact)
      },
    },
    {
      name: `fee settlement, ${AT_ONCE} at once, all under one referrer`,
      numbers: range(1, THIRD),
      each: (n) => inBooking(db, (tx) => settle(tx, n)),
    },
    {
      name: `fee settlement, ${AT_ONCE} at once, each under another referrer`,
      numbers: range(THIRD + 1, 2 * THIRD),
      each: (n) => inBooking(db, (tx) => settle(tx, n)),
    },
    {
      name: 'fee settlement, as the watcher, all under one referrer',
      ...{ numbers: range(0, THIRD / IN_ONE - 1), atOnce: 1, size: IN_ONE },
      each: (n) =>
        inBooking(db, async (tx) => {
          for (const at of manyOf(n)) await settle(tx, 2 * THIRD + at)
        }),
    },
  ]
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

/** The event numbers of one watcher transaction. */
function manyOf(n: number): number[] {
  return range(n * IN_ONE + 1, (n + 1) * IN_ONE)
}

function idOf(ids: ReadonlyMap<number, bigint>, n: number): bigint {
  const id = ids.get(n)
  if (id === undefined) throw new Error(`no user ${n}`)
  return id
}

function addressOf(n: number): Buffer {
  const address = Buffer.alloc(20, 1)
  address.writeUInt32BE(n)
  return address
}

function paymentOf(n: number, value: bigint, at: Date): ChainEvent {
  return {
    ...{ chain: 'BSC', txHash: hashOf(`payment ${n}`), logIndex: 0, blockNumber: BigInt(100 + n) },
    ...{ blockHash: hashOf(`block ${n}`), blockTime: at, address: Buffer.alloc(20, 5) },
    ...{
      name: 'Transfer',
      args: { from: `0x${'77'.repeat(20)}`, to: RECEIVER, value: `${value}` },
    },
  }
}

function bookingOf(n: number) {
  return {
    debit: account.feeReceiver,
    credit: account.incomeFee,
    asset: 'USDT',
    amount: amount('USDT', 1_000_000n + BigInt(n)),
    kind: 'bench',
    ref: `${n}`,
    at: new Date(0),
  } as const
}

async function inParallel(
  work: (n: number) => Promise<unknown>,
  { numbers, atOnce }: { numbers: readonly number[]; atOnce: number },
): Promise<{ ms: number; each: number[] }> {
  const each: number[] = []
  const rest = numbers.values()
  const lane = async () => {
    // All lanes take their work from one iterator.
    for (const n of rest) each.push(await timed(() => work(n)))
  }
  return { ms: await timed(() => Promise.all(Array.from({ length: atOnce }, lane))), each }
}
