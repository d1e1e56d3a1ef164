import { sql } from 'kysely'
import { addDays, type BusinessDay } from '../../platform/clock.ts'
import { type Db, type DbOrTx, inTransaction, type ReadDb } from '../../platform/database/db.ts'
import { dctOwed, type MoneyPosition, usdtOwed } from './money-position.queries.ts'
import type { Reading } from './read-funds.ts'
import { own } from './treasury.tables.ts'

export type StoredReading = {
  name: string
  amount: bigint | null
  readAt: Date | null
  failedAt: Date | null
}

/** Stores balances read from the chains. A failed reading keeps the last amount and its time. */
export async function storeReadings(db: Db, readings: readonly Reading[], at: Date): Promise<void> {
  const known = readings.flatMap(({ name, amount }) =>
    amount === undefined ? [] : [{ name, amount, read_at: at, failed_at: null }],
  )
  const failed = readings.flatMap(({ name, amount }) =>
    amount === undefined ? [{ name, amount: null, read_at: null, failed_at: at }] : [],
  )
  await inTransaction(db, async (tx) => {
    if (known.length > 0) {
      await own(tx)
        .insertInto('funds_reading')
        .values(known)
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet((eb) => ({
            amount: eb.ref('excluded.amount'),
            read_at: eb.ref('excluded.read_at'),
            failed_at: null,
          })),
        )
        .execute()
    }
    if (failed.length > 0) {
      await own(tx)
        .insertInto('funds_reading')
        .values(failed)
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ failed_at: at }))
        .execute()
    }
  })
}

export async function storedReadings(db: DbOrTx): Promise<ReadonlyMap<string, StoredReading>> {
  const rows = await own(db).selectFrom('funds_reading').selectAll().execute()
  return new Map(
    rows.map((row) => [
      row.name,
      { name: row.name, amount: row.amount, readAt: row.read_at, failedAt: row.failed_at },
    ]),
  )
}

/** Whether the figures of a day are recorded. */
export async function isDayTaken(db: DbOrTx, day: BusinessDay): Promise<boolean> {
  const row = await own(db)
    .selectFrom('money_day')
    .select('figure')
    .where('day', '=', day)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Records the figures of the beginning of a day, once. */
export async function takeDay(
  db: Db,
  day: BusinessDay,
  { position, readings }: { position: MoneyPosition; readings: ReadonlyMap<string, StoredReading> },
): Promise<void> {
  const rows = [
    ...position.plans.flatMap(({ plan, figures }) => [
      { day, figure: 'dct_owed', plan_code: plan.code, amount: dctOwed(figures) },
      { day, figure: 'dct_pool', plan_code: plan.code, amount: figures.pool },
      { day, figure: 'dct_locked', plan_code: plan.code, amount: figures.locked },
      { day, figure: 'dct_paid', plan_code: plan.code, amount: figures.paid },
    ]),
    { day, figure: 'usdt_owed', plan_code: '', amount: usdtOwed(position.usdt) },
    { day, figure: 'usdt_fees', plan_code: '', amount: position.usdt.fees },
    { day, figure: 'usdt_paid', plan_code: '', amount: position.usdt.paid },
    ...['payout_usdt', 'operator_trx', 'payout_bnb'].map((figure) => {
      const reading = readings.get(figure)
      const isKnown = reading !== undefined && reading.failedAt === null
      return { day, figure, plan_code: '', amount: isKnown ? reading.amount : null }
    }),
  ]
  await own(db)
    .insertInto('money_day')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export type DayFigures = { day: string; figures: ReadonlyMap<string, bigint | null> }

/** The recorded figures of the last days, oldest first. DCT figures are those of one plan, or of all plans. */
export async function daysSince(
  db: ReadDb,
  { today, days, planCode }: { today: BusinessDay; days: number; planCode?: string },
): Promise<DayFigures[]> {
  const rows = await own(db)
    .selectFrom('money_day')
    .select((eb) => [
      sql<string>`day::text`.as('day'),
      'figure',
      eb.fn.sum<bigint | null>('amount').as('amount'),
    ])
    .where('day', '>', addDays(today, -days))
    .where('day', '<=', today)
    .$if(planCode !== undefined, (query) => query.where('plan_code', 'in', ['', planCode ?? '']))
    .groupBy(['day', 'figure'])
    .orderBy('day')
    .execute()
  const byDay = new Map<string, Map<string, bigint | null>>()
  for (const { day, figure, amount } of rows) {
    const figures = byDay.get(day) ?? new Map<string, bigint | null>()
    byDay.set(day, figures.set(figure, amount))
  }
  return [...byDay].map(([day, figures]) => ({ day, figures }))
}
