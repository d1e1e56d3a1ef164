import { beforeEach, expect, test } from 'vitest'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ensurePins, PinMismatch } from './pins.ts'

const database = useTestDatabase()
beforeEach(() => wipe(database.db))

const FACTS = { 'Tron chain': '728126428', token: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' }

/** The facts stored in the database. */
async function pinned(): Promise<Record<string, string>> {
  const pins = await database.db.selectFrom('pin').selectAll().execute()
  return Object.fromEntries(pins.map(({ name, value }) => [name, value]))
}

test('the first start stores the facts; the same facts are accepted from then on', async () => {
  await ensurePins(database.db, FACTS)
  expect(await pinned()).toEqual(FACTS)
  await ensurePins(database.db, FACTS)
  const more = { ...FACTS, 'USDT contract': '0x55' }
  await ensurePins(database.db, more)
  expect(await pinned()).toEqual(more)
})

test('a database of another chain or contract is refused, and its facts remain unchanged', async () => {
  await ensurePins(database.db, FACTS)
  const other = ensurePins(database.db, { ...FACTS, 'Tron chain': '3448148188' })
  await expect(other).rejects.toThrow(PinMismatch)
  await expect(other).rejects.toThrow('Tron chain: 728126428 then, 3448148188 now')
  expect(await pinned()).toEqual(FACTS)
})

test('processes that start together agree on one set of facts', async () => {
  const starts = Array.from({ length: 8 }, (_, index) =>
    ensurePins(database.db, { token: `T${index % 2}` }),
  )
  const outcomes = await Promise.allSettled(starts)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
})
