import { parseAmount } from '@dct/money'
import { sql } from 'kysely'
import { postTransfers } from '../apps/server/src/modules/ledger/index.ts'
import {
  createDownlineLoop,
  creditFee,
  referralTotals,
} from '../apps/server/src/modules/referrals/index.ts'
import { listDownline } from '../apps/server/src/modules/referrals/list-downline.ts'
import { realClock } from '../apps/server/src/platform/clock.ts'
import { type Db, inTransaction } from '../apps/server/src/platform/db.ts'
import { percentile, type Report, timed } from './support.ts'

const LINE = 10_000
const ROUNDS = 60
/** The first user of the wide tree: it has a third of the users as direct referrals. */
const WIDE = LINE + 1

/** A line of 10,000 users and a wide tree: registrations, fees and pages at their ends. */
export async function benchReferrals(db: Db, report: Report, users: number): Promise<void> {
  const planting = await timed(() => plant(db, users))
  const { step } = createDownlineLoop({ db, realClock, pauseMs: 0 })
  const folding = await timed(async () => {
    while (!(await step()));
  })
  await sql`vacuum analyze`.execute(db)
  report(`${users} users registered below others`, {
    'registrations a second, one connection': ((users + LINE) / (planting / 1_000)).toFixed(0),
    'folded into the totals above, a second': ((users + LINE) / (folding / 1_000)).toFixed(0),
  })
  await benchEnds(db, report)
  await benchPages(db, report)
}

async function benchEnds(db: Db, report: Report): Promise<void> {
  await sql`
    update app_user set referral_reward_bps = case id when 1 then 7500 when 5000 then 2000 else 500 end
    where id in (1, 5000, 9990)`.execute(db)
  const { step } = createDownlineLoop({ db, realClock, pauseMs: 0 })
  const figures: Record<string, string> = {}
  for (const [name, referrer, payer] of [
    ['first', 1, 2],
    ['last', LINE, LINE],
  ] as const) {
    const fees = await repeat((n) => pay(db, { payer, feeId: BigInt(payer * 1_000 + n) }))
    const births = await repeat((n) => register(db, { referrer, n }))
    figures[`fee of the ${name} of the line, p50, ms`] = percentile(fees, 0.5).toFixed(1)
    figures[`fee of the ${name} of the line, p99, ms`] = percentile(fees, 0.99).toFixed(1)
    figures[`registration below the ${name}, p50, ms`] = percentile(births, 0.5).toFixed(1)
    figures[`exact totals of the ${name}, ms`] = (
      await timed(() => referralTotals(db, [BigInt(referrer)]))
    ).toFixed(1)
  }
  figures['fold into the whole line, ms'] = (await timed(step)).toFixed(0)
  report(`a line of ${LINE}`, figures)
}

async function benchPages(db: Db, report: Report): Promise<void> {
  for (const [name, top] of [
    ['the line', 1n],
    ['the wide tree', BigInt(WIDE)],
  ] as const) {
    const figures: Record<string, string> = {}
    for (const sort_by of ['level', 'created_at', 'tron_address', 'referral_code'] as const) {
      for (const sort_order of ['asc', 'desc'] as const) {
        const query = { page: 1, limit: 10, sort_by, sort_order }
        const first = await repeat(() => listDownline(db, top, query))
        const deep = await timed(() => listDownline(db, top, { ...query, page: 300 }))
        figures[`${sort_by} ${sort_order}: page 1 p99, ms`] = percentile(first, 0.99).toFixed(1)
        figures[`${sort_by} ${sort_order}: page 300, ms`] = deep.toFixed(0)
      }
    }
    const search = {
      page: 1,
      limit: 10,
      sort_by: 'level',
      sort_order: 'asc',
      search: 'TJa',
    } as const
    const found = await timed(() => listDownline(db, top, search))
    figures['search by the beginning of an address, ms'] = found.toFixed(0)
    report(`pages of ${name}`, figures)
  }
}

async function repeat(work: (n: number) => Promise<unknown>): Promise<number[]> {
  const each: number[] = []
  for (let n = 0; n < ROUNDS; n += 1) each.push(await timed(() => work(n)))
  return each
}

function pay(db: Db, { payer, feeId }: { payer: number; feeId: bigint }) {
  const fee = { feeId, payerUserId: BigInt(payer), feeUsdt: parseAmount('USDT', '10') }
  const paid = { ...fee, planCode: 'PLAN-360', at: new Date(0) }
  return inTransaction(db, async (tx) => {
    await postTransfers(tx, await creditFee({ directRateBps: 1_000n }, tx, paid))
  })
}

function register(db: Db, { referrer, n }: { referrer: number; n: number }) {
  const address = Buffer.alloc(20, 7)
  address.writeUInt32BE(referrer, 0)
  address.writeUInt32BE(n, 4)
  return sql`
    insert into app_user (address, referral_code, referrer_id, depth, created_at)
    select ${address}, ${spelled(sql`${referrer * 100 + n}::bigint`, 6)} || 'ZZ', id, depth + 1, now()
    from app_user where id = ${referrer}`.execute(db)
}

/** A number in the signs of referral codes. */
function spelled(number: ReturnType<typeof sql>, signs: number) {
  return sql`(select string_agg(substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789',
    (${number} / (32 ^ k)::bigint % 32)::integer + 1, 1), '') from generate_series(0, ${signs - 1}) k)`
}

/** The line first, then the wide tree: a third of it are direct referrals of one, the others stand anywhere. */
async function plant(db: Db, users: number): Promise<void> {
  const add = (from: number, through: number, referrer: ReturnType<typeof sql>) =>
    sql`
    insert into app_user (id, address, referral_code, referrer_id, depth, created_at)
      overriding system value
    select i, substr(sha256(i::text::bytea), 1, 20), ${spelled(sql`i`, 8)}, s.r,
      coalesce((select depth + 1 from app_user where id = s.r), 0),
      timestamptz '2026-01-01' + i * interval '1 second'
    from (select i::bigint, (${referrer})::bigint as r from generate_series(${from}::bigint, ${through}) i) s
    order by i`.execute(db)
  const nobody = sql`null`
  await add(1, 1, nobody)
  // A line grows one by one: each needs the one before.
  for (let id = 2; id <= LINE; id += 1) await add(id, id, sql`${id - 1}::bigint`)
  await add(WIDE, WIDE, nobody)
  const star = WIDE + Math.floor(users / 3)
  await add(WIDE + 1, star, sql`${WIDE}::bigint`)
  const last = LINE + users
  for (let from = star + 1; from <= last; from += 5_000) {
    const anybody = sql`${WIDE} + floor(random() * ${from - WIDE})`
    await add(from, Math.min(last, from + 4_999), anybody)
  }
  await sql`select setval(pg_get_serial_sequence('app_user', 'id'), ${last}::bigint)`.execute(db)
}
