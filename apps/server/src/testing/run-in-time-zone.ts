/** `run-in-time-zone.ts URL`: creates stakes around midnights and clock changes, and prints the rows of 70 days. */

import { openDatabase } from '../platform/database/db.ts'
import { everything } from './all-tables.ts'
import { ManualClock } from './manual-clock.ts'
import { givenFundedPlan, givenStake, passDays, stakeDeps } from './stakes.ts'

/** The last instant of a business day and the first of the next, around a leap day and two clock changes. */
const STARTS = [
  '2028-02-28T16:59:59Z',
  '2028-02-28T17:00:00Z',
  '2028-03-12T06:59:59Z',
  '2028-03-12T16:59:59Z',
  '2028-04-01T17:00:00Z',
]

const [url = ''] = process.argv.slice(2)
const db = openDatabase({ url, maxConnections: 2 })
const clock = new ManualClock('2028-02-20T00:00:00Z')
const deps = { ...stakeDeps({ db, clock }), clock }
const plan = await givenFundedPlan(deps)
for (const [at, start] of STARTS.entries()) {
  const startedAt = new Date(start)
  while (clock.now() < startedAt) await passDays(deps, 1)
  await givenStake(deps, { plan, staker: Buffer.alloc(20, at + 1), startedAt })
}
await passDays(deps, 45)
const rows = await everything(db)
  .selectFrom('reward_cycle_view')
  .selectAll()
  .orderBy('earning_id')
  .orderBy('day')
  .execute()
const lines = rows.map((row) =>
  [row.earning_id, row.day, row.cycle, row.amount, row.lapsed_amount].join(),
)
process.stdout.write(lines.join('\n'))
await db.destroy()
