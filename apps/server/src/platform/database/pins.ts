import type { Db, DbOrTx } from './db.ts'
import { own } from './platform.tables.ts'

/** The database was created for another chain, contract or token. */
export class PinMismatch extends Error {
  override name = 'PinMismatch'
}

/**
 * Compares facts about the outside world with those that this database was created for; the first start stores them.
 * @throws PinMismatch with the names that differ
 */
export async function ensurePins(db: Db, facts: Readonly<Record<string, string>>): Promise<void> {
  const values = Object.entries(facts).map(([name, value]) => ({ name, value }))
  await own(db)
    .insertInto('pin')
    .values(values)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  await comparePins(db, facts)
}

/** Compares the facts with those stored, and stores nothing. @throws PinMismatch with the names that differ */
export async function comparePins(
  db: DbOrTx,
  facts: Readonly<Record<string, string>>,
): Promise<void> {
  const stored = await own(db).selectFrom('pin').selectAll().execute()
  const list = stored
    .filter(({ name, value }) => name in facts && facts[name] !== value)
    .map(({ name, value }) => `${name}: ${value} then, ${facts[name]} now`)
  if (list.length === 0) return
  throw new PinMismatch(`The database belongs to another installation (${list.join('; ')}).`)
}
