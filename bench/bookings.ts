import { sql } from 'kysely'
import { account, postTransfers } from '../apps/server/src/modules/ledger/index.ts'
import { type Db, inTransaction } from '../apps/server/src/platform/db.ts'
import { percentile, type Report, timed } from './support.ts'

const AT_ONCE = 10
const BOOKINGS = 3_000

/** Bookings of money from ten connections at once, against bare inserts of one row each. */
export async function benchBookings(db: Db, report: Report): Promise<void> {
  await sql`create table bare (id bigint generated always as identity primary key, what text not null)`.execute(
    db,
  )
  const bare = await inParallel((n) =>
    inTransaction(db, (tx) => sql`insert into bare (what) values (${`${n}`})`.execute(tx)),
  )
  const ours = await inParallel((n) => inTransaction(db, (tx) => postTransfers(tx, [feeOf(n)])))
  report(`${BOOKINGS} bookings, ${AT_ONCE} at once`, {
    'bare transactions a second': (BOOKINGS / bare.seconds).toFixed(0),
    'ledger bookings a second (500 or more)': (BOOKINGS / ours.seconds).toFixed(0),
    'ratio of time': (ours.seconds / bare.seconds).toFixed(2),
    'ledger booking p50, ms': percentile(ours.each, 0.5).toFixed(1),
    'ledger booking p99, ms': percentile(ours.each, 0.99).toFixed(1),
  })
}

function feeOf(n: number) {
  return {
    debit: account.feeReceiver,
    credit: account.incomeFee,
    asset: 'USDT',
    amount: 1_000_000n + BigInt(n),
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
