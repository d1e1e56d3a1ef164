import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Db, Tx } from '../src/platform/database/db.ts'
import { useTestDatabase } from '../src/testing/database.ts'
import {
  ACCESS_GUARDS,
  CASE_GUARDS,
  OWED_GUARDS,
  TERMS_GUARDS,
} from '../src/testing/guards/access.guards.ts'
import { CLAIM_GUARDS } from '../src/testing/guards/claims.guards.ts'
import { EARNING_GUARDS } from '../src/testing/guards/earnings.guards.ts'
import type { Row, TableGuards } from '../src/testing/guards/guard.ts'
import { MESSAGE_GUARDS } from '../src/testing/guards/messages.guards.ts'
import { MONEY_GUARDS } from '../src/testing/guards/money.guards.ts'
import { OPERATION_GUARDS } from '../src/testing/guards/operations.guards.ts'
import { PAYOUT_GUARDS } from '../src/testing/guards/payouts.guards.ts'
import { REFERRAL_GUARDS } from '../src/testing/guards/referrals.guards.ts'
import { STEP_GUARDS } from '../src/testing/guards/steps.guards.ts'

/** In this order, so that rows can refer to rows of earlier tables. */
const GUARDS: readonly TableGuards[] = [
  ...ACCESS_GUARDS,
  ...TERMS_GUARDS,
  ...MONEY_GUARDS,
  ...EARNING_GUARDS,
  ...PAYOUT_GUARDS,
  ...CLAIM_GUARDS,
  ...REFERRAL_GUARDS,
  ...CASE_GUARDS,
  ...OWED_GUARDS,
  ...OPERATION_GUARDS,
  ...MESSAGE_GUARDS,
  ...STEP_GUARDS,
]

/** Triggers that maintain counts or announce changes; they refuse nothing. */
const FOLLOWERS = [
  'app_user.service_count_deleted',
  'app_user.service_count_users',
  'auth_session.auth_session_ended',
  'claim.service_count_claimed',
  'claim.service_count_unclaimed',
]

const database = useTestDatabase(2)

beforeAll(async () => {
  await database.db.transaction().execute(async (tx) => {
    for (const guards of GUARDS) {
      for (const row of guards.rows) await insert(tx, guards, row)
    }
  })
})

test('every constraint, unique index and trigger of the schema is tested below by name', async () => {
  const names = GUARDS.flatMap(({ table, refused, implied = [], statements = [] }) =>
    [...Object.keys(refused), ...implied, ...statements.map(({ name }) => name)].map(
      (name) => `${table}.${name}`,
    ),
  )
  expect([...new Set([...names, ...FOLLOWERS])].toSorted()).toEqual(await guardsIn(database.db))
})

describe.each(GUARDS)('$table', (guards) => {
  const { next, refused, statements = [] } = guards
  const isTaken = Object.values(refused).every((change) => Object.keys(change).length > 0)

  if (isTaken) {
    test('a valid row is accepted', async () => {
      expect(await answerTo((tx) => insert(tx, guards, next))).toBe('taken')
    })
  }

  test.each(Object.entries(refused))('%s', async (name, change) => {
    expect(await answerTo((tx) => insert(tx, guards, { ...next, ...change }))).toBe(name)
  })

  for (const { name, answer, to } of statements) {
    test.each(to)(`${name}: %s`, async (text) => {
      const run = async (tx: Tx) => {
        for (const statement of text.split(';')) await sql.raw(statement).execute(tx)
      }
      expect(await answerTo(run)).toBe(answer)
    })
  }
})

/** The database's error for a statement, which is rolled back in any case; 'taken' if the statement succeeds. */
async function answerTo(work: (tx: Tx) => Promise<void>): Promise<string> {
  const undo = new Error('taken')
  try {
    return await database.db.transaction().execute(async (tx) => {
      await work(tx)
      throw undo
    })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return `${('constraint' in error ? error.constraint : undefined) ?? error.message}`
  }
}

async function insert(tx: Tx, { table, prepare }: TableGuards, row: Row): Promise<void> {
  if (prepare !== undefined) await sql.raw(prepare).execute(tx)
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
  const values = sql.join(Object.values(row))
  await sql`
    insert into ${sql.table(table)} (${columns}) overriding system value values (${values})`.execute(
    tx,
  )
}

/** As `table.name`, without those of partitions and not-null constraints. */
async function guardsIn(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with here as (
      select oid, relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r')
    select relname || '.' || conname as name from pg_constraint c join here on here.oid = c.conrelid
      where contype <> 'n'
    union all
    select here.relname || '.' || i.relname from pg_index x join here on here.oid = x.indrelid
      join pg_class i on i.oid = x.indexrelid
      where x.indisunique and not exists (select from pg_constraint c where c.conindid = x.indexrelid)
    union all
    select relname || '.' || tgname from pg_trigger t join here on here.oid = t.tgrelid
      where not tgisinternal`.execute(db)
  return rows.map(({ name }) => name).toSorted()
}
