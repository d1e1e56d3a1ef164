import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useTestDatabase } from '../../testing/database.ts'

const database = useTestDatabase(2)

test('the histories can be distributed by earning: every key has the earning, and nothing ties them to other tables', async () => {
  const { rows: keys } = await sql<{ name: string; columns: string[] }>`
    select i.indexrelid::regclass::text as name, array_agg(a.attname::text) as columns
    from pg_index i join pg_attribute a on a.attrelid = i.indexrelid
    where i.indrelid = 'reward_row'::regclass and i.indisunique group by 1`.execute(database.db)
  expect(keys.length).toBeGreaterThan(0)
  expect(keys.filter(({ columns }) => !columns.includes('earning_id'))).toEqual([])
  const { rows: ties } = await sql`
    select conname as name from pg_constraint
      where contype = 'f' and 'reward_row'::regclass in (conrelid, confrelid)
    union all
    select tgname from pg_trigger where tgrelid = 'reward_row'::regclass and not tgisinternal`.execute(
    database.db,
  )
  expect(ties).toEqual([])
})
