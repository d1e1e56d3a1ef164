/** `npm run bench`: speed as ratios against a baseline of the same run. `-- 1000000` sets the number of rows. */

import { benchBookings } from './bookings.ts'
import { benchDailyRun } from './daily-run.ts'
import { benchReferrals } from './referrals.ts'
import { printReport, withDatabase } from './support.ts'

const rows = Number(process.argv[2] ?? 200_000)

await withDatabase((db) => benchDailyRun(db, printReport, rows))
await withDatabase((db) => benchBookings(db, printReport))
await withDatabase((db) => benchReferrals(db, printReport, rows))
