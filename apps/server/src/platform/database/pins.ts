import { randomBytes } from 'node:crypto'
import { invariant } from '../errors.ts'
import type { Db, DbOrTx, Tx } from './db.ts'
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

const SECRET_BYTES = 32

/** A secret of this installation, made when it is first asked for. */
export async function pinnedSecret(tx: Tx, name: string): Promise<Buffer> {
  const stored = await readPin(tx, name)
  if (stored !== undefined) return stored
  await own(tx)
    .insertInto('pin')
    .values({ name, value: randomBytes(SECRET_BYTES).toString('hex') })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  // Another transaction may have been faster.
  const made = await readPin(tx, name)
  invariant(made !== undefined, `${name} was just stored`)
  return made
}

async function readPin(tx: Tx, name: string): Promise<Buffer | undefined> {
  const row = await own(tx)
    .selectFrom('pin')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row && Buffer.from(row.value, 'hex')
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
