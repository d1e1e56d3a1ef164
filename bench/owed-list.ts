import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import { makeOwedList } from '../apps/server/src/modules/reports/owed-list/make-owed-list.ts'
import {
  findOwedDay,
  findOwedLeaf,
} from '../apps/server/src/modules/reports/owed-list/owed-list.queries.ts'
import type { BusinessDay } from '../apps/server/src/platform/clock.ts'
import { startOfBusinessDay } from '../apps/server/src/platform/clock.ts'
import type { Db } from '../apps/server/src/platform/database/db.ts'
import { duration, megabytes, ratio } from './figures.ts'
import { plant } from './referral-shapes.ts'
import type { Report } from './results.ts'
import { timed } from './support.ts'

const DAY = '2026-06-01' as BusinessDay

/** Makes the day's list of what referrers are owed, where every user is one, beside a bare insert of its rows. */
export async function benchOwedList(db: Db, report: Report, users: number): Promise<void> {
  const { last } = await plant(db, users)
  await sql`
    insert into referral_balance (user_id, kind, row_count, earned)
    select id, 'direct', 1, 1000 + id from app_user`.execute(db)
  await sql`vacuum analyze`.execute(db)

  const delays = monitorEventLoopDelay({ resolution: 20 })
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 50)
  delays.enable()
  const making = await timed(() =>
    makeOwedList({ db, clock: { now: () => startOfBusinessDay(DAY) } }, DAY),
  )
  delays.disable()
  clearInterval(watch)

  const made = await findOwedDay(db, DAY)
  const leaf = await findOwedLeaf(db, { day: DAY, userId: BigInt(last) })
  if (made?.holders !== last || leaf === undefined) throw new Error('the list is not complete')
  const bare = await timed(() => insertBare(db))
  report(`list of ${last} referrers who are owed`, {
    'made in, ms': duration(making),
    'beside a bare insert of its rows': ratio(making / bare, { wanted: 'less' }),
    'longest time in which nothing else ran, ms': duration(delays.max / 1e6),
    'most memory of the process, MB': megabytes(most / 2 ** 20),
  })
}

/** Inserts the same leaves and nodes into tables with the same keys. */
async function insertBare(db: Db): Promise<void> {
  for (const table of ['owed_leaf', 'owed_node']) {
    await sql`create table ${sql.table(`bare_${table}`)} (like ${sql.table(table)} including all)`.execute(
      db,
    )
    await sql`insert into ${sql.table(`bare_${table}`)} select * from ${sql.table(table)}`.execute(
      db,
    )
  }
}
