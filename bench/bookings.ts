import { amount, parseAmount, parseUnits } from '@dct/money'
import { sql } from 'kysely'
import { addUser } from '../apps/server/src/modules/auth/register.ts'
import { insertCursor } from '../apps/server/src/modules/chain/chain.queries.ts'
import { bytesOf, type ChainEvent, hexOf } from '../apps/server/src/modules/chain/index.ts'
import { onUsdtTransfer } from '../apps/server/src/modules/claims/index.ts'
import { requestClaim } from '../apps/server/src/modules/claims/request-claim.ts'
import { bookStakingEvent } from '../apps/server/src/modules/earnings/index.ts'
import { account, postTransfers } from '../apps/server/src/modules/ledger/index.ts'
import { bookPoolEvent } from '../apps/server/src/modules/plans/index.ts'
import { ensurePrice } from '../apps/server/src/modules/pricing/set-price.ts'
import { creditFee } from '../apps/server/src/modules/referrals/index.ts'
import { DAY_MS, ManualClock } from '../apps/server/src/platform/clock.ts'
import { type Db, inTransaction } from '../apps/server/src/platform/db.ts'
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
const RECEIVER = `0x${'f1'.repeat(20)}` as const

/** What moves money, from ten connections at once, against bare inserts of one row each. */
export async function benchBookings(db: Db, report: Report): Promise<void> {
  await sql`create table bare (id bigint generated always as identity primary key, what text not null)`.execute(
    db,
  )
  const clock = new ManualClock('2026-01-10T03:00:00Z')
  const stakes = { ...stakeDeps({ db, clock }), clock }
  const plan = await givenFundedPlan(stakes, { totalReward: '1000000', dailyLimit: '1000000' })
  await ensurePrice({ db, clock }, parseUnits('1', 8))
  const head = { number: 1n, hash: hexOf(hashOf('head')), time: clock.now() }
  await insertCursor(db, {
    chain: 'BSC',
    at: head,
    seen: { final: head, headNumber: 1n, observedAt: clock.now() },
  })

  const register = (n: number, referrer?: { id: bigint; depth: number }) =>
    inTransaction(db, (tx) =>
      addUser(tx, {
        ...{ address: addressOf(n), email: 'bench@example.org', role: 'user', referrer },
        ...{ termsVersion: '1', at: clock.now() },
      }),
    )
  await register(0)

  const work = {
    'bare transaction': (n: number) =>
      inTransaction(db, (tx) => sql`insert into bare (what) values (${`${n}`})`.execute(tx)),
    'ledger booking': (n: number) => inTransaction(db, (tx) => postTransfers(tx, [bookingOf(n)])),
    registration: (n: number) => register(n, { id: 1n, depth: 0 }),
    'stake booking': (n: number) =>
      inTransaction(db, async (tx) => {
        const staker = addressOf(n)
        const facts = { plan, staker, amount: dct('50'), startedAt: clock.now() }
        for (const event of stakeEvents(facts)) {
          await bookPoolEvent(tx, event)
          await bookStakingEvent(stakes, tx, event)
        }
      }),
    'HALF claim': (n: number) =>
      requestClaim(
        {
          ...{ db, clock, dctDecimals: 6, priceMaxAgeMs: 365 * DAY_MS },
          ...{ energyFee: parseAmount('USDT', '0.10'), feeReceiver: bytesOf(RECEIVER) },
        },
        {
          user: { id: ids.get(addressOf(n).toString('hex')) ?? 0n, address: addressOf(n) },
          ...{ planCode: plan.code, kind: 'HALF', maxFee: undefined },
        },
      ),
    'fee settlement with referrals': async (n: number) => {
      const value = fees[n - 1]
      if (value === undefined) throw new Error(`no fee ${n}`)
      const deps = {
        clock,
        feeReceivers: [RECEIVER],
        payoutWallet: `0x${'f2'.repeat(20)}`,
        creditReferrals: (
          tx: Parameters<typeof creditFee>[1],
          fee: Parameters<typeof creditFee>[2],
        ) => creditFee({ directRateBps: 1_000n }, tx, fee),
      }
      await inTransaction(db, (tx) => onUsdtTransfer(deps, tx, paymentOf(n, value, clock.now())))
    },
  }
  let fees: bigint[] = []
  let ids = new Map<string, bigint>()
  let bare: number | undefined
  for (const [name, each] of Object.entries(work)) {
    if (name === 'HALF claim') {
      const users = await db.selectFrom('app_user').select(['id', 'address']).execute()
      ids = new Map(users.map((user) => [user.address.toString('hex'), user.id]))
      await passDays(stakes, 10)
    }
    if (name.startsWith('fee')) {
      const rows = await db.selectFrom('claim').select('exact_amount').execute()
      fees = rows.map((row) => row.exact_amount)
    }
    const took = await inParallel(each)
    bare ??= took.seconds
    report(`${BOOKINGS} times: ${name}, ${AT_ONCE} at once`, {
      'a second (500 or more)': (BOOKINGS / took.seconds).toFixed(0),
      'time, in bare transactions': (took.seconds / bare).toFixed(2),
      'p50, ms': percentile(took.each, 0.5).toFixed(1),
      'p99, ms': percentile(took.each, 0.99).toFixed(1),
    })
  }
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
): Promise<{ seconds: number; each: number[] }> {
  const each: number[] = []
  let next = 0
  const lane = async () => {
    while (next < BOOKINGS) {
      next += 1
      const n = next
      each.push(await timed(() => work(n)))
    }
  }
  const ms = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, lane)))
  return { seconds: ms / 1_000, each }
}
