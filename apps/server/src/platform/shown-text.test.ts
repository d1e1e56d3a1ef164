import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useTestDatabase } from '../testing/database.ts'
import { shownDay, showsAmount } from './shown-text.ts'

const database = useTestDatabase(1)

test('an instant is formatted as its business day', async () => {
  const { rows } = await sql`
    select ${shownDay(sql`timestamptz '2026-01-15T16:59:59Z'`)} as before,
      ${shownDay(sql`timestamptz '2026-01-15T17:00:00Z'`)} as after`.execute(database.db)
  expect(rows).toEqual([{ before: '15 Jan 2026', after: '16 Jan 2026' }])
})

test.each([
  ['1234.234568', true],
  ['1.234,2345', true],
  ['4,23', true],
  [',2345', true],
  ['234567', false],
  ['4,3', false],
])('an amount shown with six decimals contains %s: %s', async (search, isContained) => {
  const amount = sql`1234234567890000000000::numeric`
  const { rows } = await sql`
    select ${showsAmount(amount, { decimals: 18, search })} as "isContained"`.execute(database.db)
  expect(rows).toEqual([{ isContained }])
})
