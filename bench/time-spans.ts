import { sql } from 'kysely'
import type { BusinessDay } from '../apps/server/src/platform/clock.ts'
import type { Db } from '../apps/server/src/platform/database/db.ts'
import { bytes, ratio } from './figures.ts'
import type { Report } from './results.ts'
import { type Spent, spending } from './spent.ts'

const ROUNDS = 10

/**
 * Compares storing a row for each day with storing a row for each span of days: the cycles of a span follow from the
 * stake, so its days and its sum are enough. This is a prototype: its tables are filled here from the rows of a year
 * that ends with `day`.
 */
export async function benchSpans(
  db: Db,
  report: Report,
  of: { stakes: number; day: BusinessDay; bytesOfRows: number; run: Spent },
): Promise<void> {
  const month = await spanBytes(db, of.day, 'month')
  const year = await spanBytes(db, of.day, 'year')
  const share = (size: number) => ratio(size / of.bytesOfRows, { wanted: 'less', digits: 3 })
  report('Bytes of a stake in 365 days, beside a row a day', {
    'a span a month': bytes(month / of.stakes),
    'a span a month, ratio': share(month),
    'a span a year': bytes(year / of.stakes),
    'a span a year, ratio': share(year),
  })
  const sums = await spending(db, async () => {
    for (let round = 0; round < ROUNDS; round += 1) await sumDue(db, of.day)
  })
  report('A daily run that only sums what is due, beside one that writes it', {
    'processor time, ratio': ratio(sums.cpuMs / ROUNDS / of.run.cpuMs, { wanted: 'less' }),
    'pages, ratio': ratio(sums.pages / ROUNDS / of.run.pages, { wanted: 'less', digits: 3 }),
  })
}

/** The size of a table with one row for each stake and month, or year, including its primary key. */
async function spanBytes(db: Db, day: BusinessDay, per: 'month' | 'year'): Promise<number> {
  await sql`drop table if exists span`.execute(db)
  await sql`create table span (earning_id bigint not null, first_day date not null, last_day date not null,
    is_lapsed boolean not null, amount numeric(78,0) not null, primary key (earning_id, first_day))`.execute(
    db,
  )
  await sql`
    insert into span
    select earning_id, min(day), max(day), lapsed_amount is not null, sum(amount + coalesce(lapsed_amount, 0))
    from reward_row where day <= ${day}
    group by earning_id, date_trunc(${per}, day), lapsed_amount is not null
    order by min(day), earning_id`.execute(db)
  const { rows } = await sql<{ bytes: bigint }>`
    select pg_total_relation_size('span') as bytes`.execute(db)
  return Number(rows[0]?.bytes ?? 0n)
}

const sumDue = (db: Db, day: BusinessDay) =>
  sql`
  select count(*), sum(div(e.reward * (${day}::date - e.start_day), e.cycles)
    - div(e.reward * (${day}::date - e.start_day - 1), e.cycles))
  from earning e where e.start_day < ${day}::date and e.start_day + e.cycles >= ${day}::date`.execute(
    db,
  )
