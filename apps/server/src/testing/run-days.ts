/** `run-days.ts URL DAY`: runs the daily distribution of each day up to that business day. Tests kill it. */
import {
  addDays,
  type BusinessDay,
  parseBusinessDay,
  startOfBusinessDay,
} from '../platform/clock.ts'
import { openDatabase } from '../platform/database/db.ts'
import { everything } from './all-tables.ts'
import { ManualClock } from './manual-clock.ts'
import { runDueDays, stakeDeps } from './stakes.ts'

const [url = '', last = ''] = process.argv.slice(2)
const db = openDatabase({ url, maxConnections: 2 })
const { through_day: done } = await everything(db)
  .selectFrom('distribution_cursor')
  .select('through_day')
  .executeTakeFirstOrThrow()
const clock = new ManualClock(startOfBusinessDay(done as BusinessDay))
for (
  let day = addDays(done as BusinessDay, 1);
  day <= parseBusinessDay(last);
  day = addDays(day, 1)
) {
  clock.set(startOfBusinessDay(day))
  await runDueDays(stakeDeps({ db, clock }))
}
await db.destroy()
