import { sql } from 'kysely'
import { addDays, type BusinessDay, startOfBusinessDay } from '../apps/server/src/platform/clock.ts'
import type { Db } from '../apps/server/src/platform/database/db.ts'
import { givenPlan } from '../apps/server/src/testing/plans.ts'
import {
  createBareRows,
  insertBare,
  makeEarnings,
  reportBytes,
  runOne,
  stageRows,
} from './daily-run.ts'
import { duration } from './figures.ts'
import { benchLedgerGrowth } from './ledger-growth.ts'
import type { Report } from './results.ts'
import { compare, compareAll, type Spent, spending, sumOf, timesAsMuch } from './spent.ts'
import { measureLists } from './time-lists.ts'

/** The first cycle falls on the first day of a year. */
const START = '2025-12-31' as BusinessDay
const DAYS = 365
const PLAN = { planCode: 'PLAN-720', cycles: 720 }
const EARLY = 30
const LATE_DAYS = 30
/** Every holder claims once in this many days, spread over the days, so that nothing freezes. */
const CLAIM_EVERY = 20
/** The months that are compared; the baseline copies their rows on the same days. */
const FIRST_MONTH = '2026-01'
const LAST_MONTH = '2026-12'

/**
 * Benchmarks a year of a plan's daily runs, and catching up on thirty missed days. Work that is repeated every day is
 * compared between the first month and the twelfth: it must cost the same. The database has a single connection, so
 * that the counters of its process show what each step cost.
 */
export async function benchTime(db: Db, report: Report, stakes: number): Promise<void> {
  const plan = await givenPlan({ db, clock: { now: () => startOfBusinessDay(START) } })
  await makeEarnings(db, { ...PLAN, planId: plan.id, startDay: START, earnings: stakes })
  await sql`insert into daily_stake_count values (${plan.id}, ${START}, ${stakes})`.execute(db)
  await createBareRows(db)

  const year = new Year(db)
  for (let n = 1; n <= EARLY; n += 1) await year.run()
  const rows = stakes * EARLY
  const early = await measureLists(db, { stakes, rows, day: year.day })
  while (year.day < addDays(START, DAYS)) await year.run()
  const late = await measureLists(db, { stakes, rows, day: year.day })
  year.report(report, stakes)
  report(`Lists and files, day ${DAYS} beside day ${EARLY}: to stay at 1`, compareAll(late, early))
  await reportBytes(db, report)
  await benchCatchUp(db, report, year.day)
  await benchLedgerGrowth(db, report)
}

/** Runs one day after the other, and measures the runs and the vacuuming by month. */
class Year {
  day: BusinessDay = START
  readonly #db: Db
  readonly #runs = new Map<string, Spent[]>()

  constructor(db: Db) {
    this.#db = db
  }

  /** Runs the next day, then does what holders and PostgreSQL do on a day. */
  async run(): Promise<void> {
    this.day = addDays(this.day, 1)
    const { day } = this
    const month = day.slice(0, 7)
    this.#add(`run ${month}`, await spending(this.#db, () => runOne(this.#db, day)))
    await this.#claimSome()
    if (month === FIRST_MONTH || month === LAST_MONTH) {
      await stageRows(this.#db, day)
      this.#add(`bare ${month}`, await spending(this.#db, () => insertBare(this.#db)))
    }
    this.#add(`vacuum ${month}`, await spending(this.#db, () => vacuum(this.#db)))
  }

  of(name: string): Spent {
    const spent = this.#runs.get(name) ?? []
    const { ms, cpuMs, pages, walBytes } = sumOf(spent)
    const days = spent.length
    return { ms: ms / days, cpuMs: cpuMs / days, pages: pages / days, walBytes: walBytes / days }
  }

  report(report: Report, stakes: number): void {
    const [first, last] = [this.of(`run ${FIRST_MONTH}`), this.of(`run ${LAST_MONTH}`)]
    const bare = sumOf([this.of(`bare ${FIRST_MONTH}`), this.of(`bare ${LAST_MONTH}`)])
    const ours = sumOf([first, last])
    report(`${stakes} stakes, daily run of two months beside a bare INSERT … SELECT`, {
      'bare, processor time a day, ms': duration(bare.cpuMs / 2),
      'daily run, processor time a day, ms': duration(ours.cpuMs / 2),
      'processor time, ratio': timesAsMuch(ours.cpuMs, bare.cpuMs),
      'real time, ratio': timesAsMuch(ours.ms, bare.ms),
      'pages, ratio': timesAsMuch(ours.pages, bare.pages),
      'bytes written ahead, ratio': timesAsMuch(ours.walBytes, bare.walBytes),
    })
    const vacuums = [this.of(`vacuum ${FIRST_MONTH}`), this.of(`vacuum ${LAST_MONTH}`)] as const
    report('A day of the twelfth month beside one of the first (to stay at 1)', {
      ...compare('daily run', last, first),
      'daily run: bytes written ahead': timesAsMuch(last.walBytes, first.walBytes),
      ...compare('vacuum', vacuums[1], vacuums[0]),
      'vacuum: bytes written ahead': timesAsMuch(vacuums[1].walBytes, vacuums[0].walBytes),
    })
  }

  #add(name: string, spent: Spent): void {
    this.#runs.set(name, [...(this.#runs.get(name) ?? []), spent])
  }

  async #claimSome(): Promise<void> {
    await sql`
      update earning set claimed_through = ${this.day}::date - start_day
      where id % ${CLAIM_EVERY} = (${this.day}::date - start_day) % ${CLAIM_EVERY}`.execute(
      this.#db,
    )
  }
}

/** Catches up on missed days one after the other: each must cost as much as the first. */
async function benchCatchUp(db: Db, report: Report, through: BusinessDay): Promise<void> {
  const now = addDays(through, LATE_DAYS)
  const runs: Spent[] = []
  for (let n = 0; n < LATE_DAYS; n += 1) runs.push(await spending(db, () => runOne(db, now)))
  const third = LATE_DAYS / 3
  const [first, final] = [sumOf(runs.slice(0, third)), sumOf(runs.slice(-third))]
  report(`${LATE_DAYS} missed days: the last ${third} beside the first ${third} (to stay at 1)`, {
    ...compare('run', final, first),
    'run: bytes written ahead': timesAsMuch(final.walBytes, first.walBytes),
  })
}

/** Vacuums the table that a day changed, as autovacuum would. */
const vacuum = (db: Db) => sql`vacuum (analyze) earning`.execute(db)
