import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { shownAmount, shownDay } from './shown-text.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(1)
})
afterAll(() => database.drop())

test('an instant is formatted as its business day, an amount with six decimals', async () => {
  const { rows } = await sql`
    select ${shownDay(sql`timestamptz '2026-01-15T16:59:59Z'`)} as before,
      ${shownDay(sql`timestamptz '2026-01-15T17:00:00Z'`)} as after,
      ${shownAmount(sql`1234567890000000000::numeric`, 18)} as usdt`.execute(database.db)
  expect(rows).toEqual([{ before: '15 Jan 2026', after: '16 Jan 2026', usdt: '1.234568' }])
})
