import { amount } from '@dct/money'
import { sql } from 'kysely'
import { addUser } from '../apps/server/src/modules/auth/register.ts'
import { bytesOf, type ChainEvent } from '../apps/server/src/modules/chain/index.ts'
import { onUsdtTransfer, type UsdtDeps } from '../apps/server/src/modules/claims/index.ts'
import { requestClaim } from '../apps/server/src/modules/claims/request-claim.ts'
import { bookStakingEvent } from '../apps/server/src/modules/earnings/index.ts'
import { account, postTransfers } from '../apps/server/src/modules/ledger/index.ts'
import { bookPoolEvent, type Plan } from '../apps/server/src/modules/plans/index.ts'
import { creditFee } from '../apps/server/src/modules/referrals/index.ts'
import { DAY_MS } from '../apps/server/src/platform/clock.ts'
import {
  type Db,
  inBooking,
  inTransaction,
  type Tx,
} from '../apps/server/src/platform/database/db.ts'
import { everything } from '../apps/server/src/testing/all-tables.ts'
import type { ManualClock } from '../apps/server/src/testing/manual-clock.ts'
import { hashOf, stakeDeps, stakeEvents } from '../apps/server/src/testing/stakes.ts'

/** The number of events that the watcher finds in one range of blocks, and so books in one transaction. */
export const EVENTS_IN_RANGE = 100
/**
 * Positions in `plans`: the plan that all bookings contend for, the plan whose events are booked in whole ranges, and
 * the other plans.
 */
const ONE_PLAN = 0
const RANGE_PLAN = 1
const FIRST_OTHER_PLAN = 2
const OTHER_PLANS = 9
export const PLANS = FIRST_OTHER_PLAN + OTHER_PLANS
const RECEIVER = `0x${'f1'.repeat(20)}` as const

/**
 * A run's users are numbered from 1 to three times `third`. Each user in the second third has a different referrer,
 * from the first third; user 0 referred all others. `base` distinguishes the runs in one database.
 */
export type World = {
  db: Db
  clock: ManualClock
  plans: readonly Plan[]
  base: number
  third: number
}

export type Step = {
  /** Reads what the bookings need, before the measurement starts. */
  prepare?(): Promise<void>
  each(n: number): Promise<unknown>
}

/** Everything that moves money, by name. Each name states which rows the bookings contend for. */
export function bookingSteps(world: World) {
  const { db } = world
  const stake = stakeBooking(world)
  const { claim, settle, prepare } = claimBookings(world)
  const settleOne: Step = { prepare, each: (n) => inBooking(db, (tx) => settle(tx, n)) }
  return {
    ...plainSteps(world),
    'stake, all in one plan': {
      each: (n) => inBooking(db, (tx) => stake(tx, n, ONE_PLAN)),
    },
    'stake, in nine plans': {
      each: (n) => inBooking(db, (tx) => stake(tx, n, FIRST_OTHER_PLAN + (n % OTHER_PLANS))),
    },
    'stake, a hundred in a transaction, all in one plan': {
      each: (range) => inRange(db, range, (tx, n) => stake(tx, n, RANGE_PLAN)),
    },
    'claim, all in one plan': { prepare, each: (n) => claim(n, ONE_PLAN) },
    'fee settlement, all below one referrer': settleOne,
    'fee settlement, each below another': settleOne,
    'fee settlement, a hundred in a transaction, all below one referrer': {
      prepare,
      each: (range) => inRange(db, range, (tx, n) => settle(tx, n + 2 * world.third)),
    },
    'stake, claim and settlement at once, one plan, one referrer': {
      prepare,
      async each(n) {
        await inBooking(db, (tx) => stake(tx, n + world.third, RANGE_PLAN))
        await claim(n, RANGE_PLAN)
        await inBooking(db, (tx) => settle(tx, n))
      },
    },
  } satisfies Record<string, Step>
}

export type StepName = keyof ReturnType<typeof bookingSteps>

function plainSteps({ db, clock, base, third }: World) {
  const users = new Map<number, User>()
  const register: Step = {
    async prepare() {
      for (const [n, user] of await readUsers(db, base)) users.set(n, user)
    },
    async each(n) {
      const referrer = users.get(n > third && n <= 2 * third ? n - third : 0)
      const user = {
        address: addressOf(base + n),
        email: 'bench@example.org',
        role: 'user',
      } as const
      await inTransaction(db, (tx) => addUser(tx, { ...user, referrer, at: clock.now() }))
    },
  }
  return {
    'bare transaction': {
      each: (n) =>
        inBooking(db, (tx) => sql`insert into bare (what) values (${`${n}`})`.execute(tx)),
    },
    'bare transaction, all on one row': {
      each: (n) =>
        inBooking(db, (tx) => sql`update bare set what = ${`${n}`} where id = 1`.execute(tx)),
    },
    'ledger booking': {
      each: (n) => inBooking(db, (tx) => postTransfers(tx, [bookingOf(base + n)])),
    },
    'registration, all below one': register,
    'registration, each below another': register,
  } satisfies Record<string, Step>
}

/** Books the events of one range of blocks as the watcher does, so that other ranges have to wait. */
async function inRange(
  db: Db,
  range: number,
  each: (tx: Tx, n: number) => Promise<unknown>,
): Promise<void> {
  await inBooking(db, async (tx) => {
    await everything(tx).selectFrom('chain_cursor').select('chain').forUpdate().execute()
    for (let at = 1; at <= EVENTS_IN_RANGE; at += 1) {
      await each(tx, (range - 1) * EVENTS_IN_RANGE + at)
    }
  })
}

function stakeBooking({ db, clock, plans, base }: World) {
  const deps = stakeDeps({ db, clock })
  return async (tx: Tx, n: number, place: number) => {
    const plan = plans[place]
    if (plan === undefined) throw new Error(`no plan ${place}`)
    // Amounts differ so that the fees differ too: a single cent has tails for only 9,000 open fees.
    const locked = amount('DCT', 50_000_000n + BigInt(n % 50_000) * 10_000n)
    const staker = addressOf(base + n)
    const stakeId = stakeIdOf({ base }, n, place)
    const facts = { plan, staker, stakeId, amount: locked }
    for (const event of stakeEvents({ ...facts, startedAt: clock.now() })) {
      await bookPoolEvent(tx, event)
      await bookStakingEvent(deps, tx, event)
    }
  }
}

function stakeIdOf({ base }: Pick<World, 'base'>, n: number, place: number): bigint {
  return BigInt(base + n) * BigInt(PLANS) + BigInt(place)
}

function claimBookings({ db, clock, plans, base }: World) {
  const users = new Map<number, User>()
  /** The exact amounts that pay open fees, by user. */
  const fees = new Map<number, bigint>()
  const claiming = {
    ...{ db, clock, dctDecimals: 6, priceMaxAgeMs: 365 * DAY_MS },
    feeReceiver: bytesOf(RECEIVER),
  }
  const settling: UsdtDeps = {
    clock,
    feeReceivers: [RECEIVER],
    vaults: [`0x${'f2'.repeat(20)}`],
    creditReferrals: (tx, fee) => creditFee({ directRateBps: 1_000n }, tx, fee),
  }
  return {
    async prepare() {
      for (const [n, user] of await readUsers(db, base)) users.set(n, user)
      for (const [n, fee] of await readFees(db, base)) fees.set(n, fee)
    },
    async claim(n: number, place: number) {
      const id = users.get(n)?.id
      const planCode = plans[place]?.code
      if (id === undefined || planCode === undefined) throw new Error(`no user ${n}`)
      const wish = { planCode, kind: 'HALF', maxFee: undefined } as const
      const user = { id, address: addressOf(base + n) }
      fees.set(n, (await requestClaim(claiming, { user, ...wish })).exact)
    },
    async settle(tx: Tx, n: number) {
      const fee = fees.get(n)
      if (fee === undefined) throw new Error(`no open fee of user ${n}`)
      await onUsdtTransfer(settling, tx, paymentOf(fee, clock.now()))
    },
  }
}

type User = { id: bigint; depth: number }

async function readUsers(db: Db, base: number): Promise<[number, User][]> {
  const users = everything(db).selectFrom('app_user').select(['id', 'depth', 'address'])
  return (await users.execute()).map(({ id, depth, address }) => [
    address.readUInt32BE() - base,
    { id, depth },
  ])
}

async function readFees(db: Db, base: number): Promise<[number, bigint][]> {
  const open = everything(db).selectFrom('claim').where('state', '=', 'awaiting_fee')
  const fees = await open.select(['staker', 'exact_amount']).execute()
  return fees.map(({ staker, exact_amount }) => [staker.readUInt32BE() - base, exact_amount])
}

export function addressOf(n: number): Buffer {
  const address = Buffer.alloc(20, 1)
  address.writeUInt32BE(n)
  return address
}

function paymentOf(value: bigint, at: Date): ChainEvent {
  const args = { from: `0x${'77'.repeat(20)}`, to: RECEIVER, value: `${value}` }
  return {
    ...{ chain: 'BSC', txHash: hashOf(`payment ${value}`), logIndex: 0, blockNumber: 100n },
    ...{ blockHash: hashOf('block'), blockTime: at, address: Buffer.alloc(20, 5) },
    ...{ name: 'Transfer', args },
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
