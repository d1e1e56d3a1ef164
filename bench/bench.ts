/**
 * `npm run bench`: speed as ratios to a baseline measured in the same run, and latencies at p50 and p99, compared with
 * those that were measured before in this clone. `-- referrals 1000000` runs only that part, with that many rows;
 * `--quick` takes fewer measurements.
 */
import { parseArgs } from 'node:util'
import { benchAdminLists, benchYears } from './admin-lists.ts'
import { benchBookings } from './bookings.ts'
import { benchDailyRun } from './daily-run.ts'
import { benchHttp } from './http.ts'
import { benchMemory } from './memory.ts'
import { benchOwedList } from './owed-list.ts'
import { benchReferrals } from './referrals.ts'
import { createResults, type Report } from './results.ts'
import { withDatabase } from './support.ts'
import { benchWatcher } from './watcher.ts'

const args = process.argv.slice(2)
const { values: options, positionals } = parseArgs({
  args,
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    /** Bookings of each kind. */
    bookings: { type: 'string' },
    /** The number of booking processes; by default one, then four. */
    processes: { type: 'string' },
    /** Blocks to catch up on; they contain a tenth as many events. */
    blocks: { type: 'string' },
    /** Daily runs after those that are compared. */
    days: { type: 'string' },
    /**
     * How long the memory benchmark puts load on an api; it also measures at rest for as long, but at most a minute.
     */
    seconds: { type: 'string' },
  },
})
const isQuick = options.quick
const given = positionals.find((one) => /^\d+$/.test(one))
const rows = Number(given ?? (isQuick ? 20_000 : 200_000))
const bookings = Number(options.bookings ?? (isQuick ? 600 : 3_000))
const blocks = Number(options.blocks ?? (isQuick ? 20_000 : 200_000))
const days = Number(options.days ?? 0)
const seconds = Number(options.seconds ?? (isQuick ? 10 : 60))
const PARTS: Readonly<Record<string, (report: Report) => Promise<void>>> = {
  'daily-run': (report) =>
    withDatabase((db) => benchDailyRun(db, report, { earnings: rows, days })),
  bookings: (report) =>
    benchBookings(report, {
      size: bookings,
      processes: options.processes ? [Number(options.processes)] : [1, 4],
    }),
  watcher: (report) =>
    benchWatcher(report, { blocks, events: blocks / 10, liveBlocks: isQuick ? 5 : 20 }),
  referrals: (report) => withDatabase((db) => benchReferrals(db, report, { rows, isQuick })),
  lists: (report) => withDatabase((db) => benchAdminLists(db, report, { rows, isQuick })),
  years: (report) => withDatabase((db) => benchYears(db, report, { rows, isQuick })),
  'owed-list': (report) => withDatabase((db) => benchOwedList(db, report, rows)),
  memory: (report) => benchMemory(report, { seconds, rows: 20_000 }),
  http: (report) => benchHttp(report, { rows, isQuick }),
}
const chosen = positionals.filter((one) => !/^\d+$/.test(one))
const unknown = chosen.filter((name) => !(name in PARTS))
if (unknown.length > 0) {
  throw new Error(`${unknown.join(', ')}: the parts are ${Object.keys(PARTS).join(', ')}`)
}
const results = createResults(new Date())
for (const [name, run] of Object.entries(PARTS)) {
  if (chosen.length === 0 || chosen.includes(name)) await results.run(name, run)
}
results.finish(args)
if (results.failed.length > 0) process.exitCode = 1
