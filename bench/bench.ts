/**
 * `npm run bench`: speed as ratios to a baseline measured in the same run, and latencies at p50 and p99.
 * `-- referrals 1000000` runs only that part, with that many rows; `--quick` takes fewer measurements.
 */
import { benchAdminLists } from './admin-lists.ts'
import { benchBookings } from './bookings.ts'
import { benchDailyRun } from './daily-run.ts'
import { benchHttp } from './http.ts'
import { benchReferrals } from './referrals.ts'
import { printReport, withDatabase } from './support.ts'

const args = process.argv.slice(2)
const isQuick = args.includes('--quick')
const rows = Number(args.find((arg) => /^\d+$/.test(arg)) ?? (isQuick ? 20_000 : 200_000))
const PARTS = {
  'daily-run': () => withDatabase((db) => benchDailyRun(db, printReport, rows)),
  bookings: () => withDatabase((db) => benchBookings(db, printReport)),
  referrals: () => withDatabase((db) => benchReferrals(db, printReport, rows)),
  lists: () => withDatabase((db) => benchAdminLists(db, printReport, rows)),
  http: () => benchHttp(printReport, { rows, isQuick }),
}
const chosen = args.filter((arg) => !/^\d+$|^--/.test(arg))
const unknown = chosen.filter((name) => !(name in PARTS))
if (unknown.length > 0) {
  throw new Error(`${unknown.join(', ')}: the parts are ${Object.keys(PARTS).join(', ')}`)
}
for (const [name, run] of Object.entries(PARTS)) {
  if (chosen.length === 0 || chosen.includes(name)) await run()
}
