import type { Db } from './db.ts'
import { own } from './platform.tables.ts'

/** The database was created for another chain, contract or token. */
export class PinMismatch extends Error {
  override name = 'PinMismatch'
}

/**
 * Compares facts of the outside world with those that this database was created for; the first start stores them.
 * @throws PinMismatch with the names that differ
 */
export async function holdPins(db: Db, facts: Readonly<Record<string, string>>): Promise<void> {
  const values = Object.entries(facts).map(([name, value]) => ({ name, value }))
  await own(db)
    .insertInto('pin')
    .values(values)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const pinned = new Map(
    (await own(db).selectFrom('pin').selectAll().execute()).map((pin) => [pin.name, pin.value]),
  )
  const different = values.filter(({ name, value }) => pinned.get(name) !== value)
  if (different.length === 0) return
  const list = different
    .map(({ name, value }) => `${name}: ${pinned.get(name)} then, ${value} now`)
    .join('; ')
  throw new PinMismatch(`The database belongs to another installation (${list}).`)
}
