import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../platform/database/db.ts'
import { someoneWaits, useTestDatabase } from '../../testing/database.ts'
import { createPayout, type NewPayout } from './create-payout.ts'

const database = useTestDatabase()
const reward: NewPayout = {
  account: { chain: 'TRON', holder: `0x${'11'.repeat(20)}`, name: 'PLAN-360' },
  ...{ cause: 'claim:1:later', amount: 5n, at: new Date('2026-01-01') },
}

/**
 * Makes every insert pause between the search for a conflict and the entries in the unique indexes. An insert writes to
 * the indexes in the order of their creation, so that of the constraint is created again.
 */
beforeAll(async () => {
  await sql`
    create function pause(cause text) returns text immutable language plpgsql
    as $$ begin perform pg_advisory_xact_lock(1); return cause; end $$;
    create index payout_pause on payout (pause(cause));
    alter table payout drop constraint payout_cause_once, add constraint payout_cause_once unique (cause);
  `.execute(database.db)
})

test('[T080] of two concurrent inserts of one payout, the slower one returns the payout of the other', async () => {
  const { db } = database
  const create = (changes: Partial<NewPayout> = {}) =>
    inTransaction(db, (tx) => createPayout(tx, { ...reward, ...changes }))
  let slower: Promise<bigint> | undefined
  const quicker = await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(1)`.execute(tx)
    slower = create()
    await someoneWaits(db)
    return createPayout(tx, reward)
  })
  expect(await slower).toBe(quicker)
  await expect(create({ amount: 6n })).rejects.toThrow('exists with other content')
  const account = await database.db.selectFrom('payout_account').select('open').execute()
  expect(account).toEqual([{ open: 5n }])
})
