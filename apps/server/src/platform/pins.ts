import type { Db } from './db.ts'
import './platform.tables.ts'

/** The database was made for another chain, contract or token. */
export class PinMismatch extends Error {
  override name = 'PinMismatch'
}

/**
 * Holds facts of the outside world against those that this database was made for; the first start
 * writes them down.
 * @throws PinMismatch with the names that differ
 */
export async function holdPins(db: Db, facts: Readonly<Record<string, string>>): Promise<void> {
  const values = Object.entries(facts).map(([name, value]) => ({ name, value }))
  await db
    .insertInto('pin')
    .values(values)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const pinned = new Map(
    (await db.selectFrom('pin').selectAll().execute()).map((pin) => [pin.name, pin.value]),
  )
  const different = values.filter(({ name, value }) => pinned.get(name) !== value)
  if (different.length === 0) return
  const list = different
    .map(({ name, value }) => `${name}: ${pinned.get(name)} then, ${value} now`)
    .join('; ')
  throw new PinMismatch(`The database belongs to another installation (${list}).`)
}
