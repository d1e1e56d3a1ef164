import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { addDays, type BusinessDay, startOfBusinessDay } from '../../../platform/clock.ts'
import { useTestDatabase } from '../../../testing/database.ts'
import { givenPlan } from '../../../testing/plans.ts'
import { findAllRewards } from './find-all-rewards.ts'
import { readScope } from './list-search.ts'

const FIRST_DAY = '2026-01-01' as BusinessDay
const THROUGH = '2029-06-30' as BusinessDay
/** More than are sorted at once; half of them begin when the others have long ended. */
const STAKES = 230

const database = useTestDatabase()

beforeAll(async () => {
  const { db } = database
  const plan = await givenPlan({ db, clock: { now: () => startOfBusinessDay(FIRST_DAY) } })
  const startDay = sql`(${FIRST_DAY}::date + (n % 7 + (n % 2) * 1200)::integer)`
  await sql`
    insert into earning (stake_id, staker, is_registered, plan_id, plan_code, amount, reward, cycles, freeze_limit,
      started_at, ends_at, start_day, tx_hash, log_index, block_number, booked_at)
    select n, decode(lpad(to_hex(n), 40, '0'), 'hex'), true, ${plan.id}, ${plan.code}, 10000000, 7200000, 3, 30,
      at, at + interval '3 days', ${startDay}, decode(lpad(to_hex(n % 229), 64, '0'), 'hex'), n, n, at
    from generate_series(1, ${STAKES}::bigint) n
      cross join lateral (select ${startDay}::timestamptz + interval '1 hour' as at) moment`.execute(
    db,
  )
  await sql`insert into distribution_cursor values (${plan.id}, ${plan.code}, 3, ${THROUGH})`.execute(
    db,
  )
  await sql`
    insert into distribution_day
    select ${plan.id}, day, ${startOfBusinessDay(THROUGH)}::timestamptz, count(*), 0, 0
    from reward_cycle_view group by day`.execute(db)
})

/** All cycles as they are found without any search. */
async function everyCycle(where: RawBuilder<boolean>, direction: 'asc' | 'desc') {
  const { rows } = await sql<{ day: BusinessDay; staker: Buffer }>`
    select r.day, e.staker from reward_cycle_view r join earning e on e.id = r.earning_id where ${where}
    order by r.day ${sql.raw(direction)}, e.started_at, e.tx_hash`.execute(database.db)
  return rows.map(({ day, staker }) => `${day} ${staker.toString('hex')}`)
}

test.each(['asc', 'desc'] as const)(
  'pages of the cycles that a search finds, by day %s, are those of the whole list, also across years without any',
  async (direction) => {
    const { db } = database
    const scope = await readScope(db, { search: `0x${'0'.repeat(60)}` })
    const range = { from: addDays(FIRST_DAY, 3) }
    const found: string[] = []
    const sorted = { sort: 'reward_date', direction, limit: 97 } as const
    for (let page = 1; page <= 8; page += 1) {
      const { rows, total } = await findAllRewards(db, { ...scope, range }, { ...sorted, page })
      found.push(...rows.map((row) => `${row.day} ${row.staker.toString('hex')}`))
      expect(total).toBeGreaterThan(600)
    }
    expect(found).toEqual(await everyCycle(sql<boolean>`r.day >= ${range.from}`, direction))
  },
)
