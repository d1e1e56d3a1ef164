import { type CompiledQuery, sql } from 'kysely'
import { Refusal } from '../errors.ts'
import { ADVISORY_LOCK_CLASSES } from './advisory-locks.ts'
import { type Db, kyselyOf, type ReadDb } from './db.ts'

const BATCH_SIZE = 500
/** The maximum number of downloads. Each holds a database connection until it ends, and pages need connections too. */
const MOST_AT_ONCE = 4
/** How long a slow reader may take between two batches. */
const PATIENCE = '5min'

type Work<R, T> = {
  /** Run one after the other, in this order. */
  queries(tx: ReadDb): AsyncIterable<CompiledQuery<R>> | Iterable<CompiledQuery<R>>
  describe(tx: ReadDb, rows: readonly R[]): readonly T[] | Promise<readonly T[]>
}

/**
 * Reads all rows of some queries in batches, however many there are. A cursor holds one snapshot of the database, so
 * no row is missed or returned twice while others write.
 * @throws Refusal `TOO_MANY_REQUESTS` when too many downloads are running
 */
export async function* inBatches<R, T>(db: ReadDb, work: Work<R, T>): AsyncGenerator<readonly T[]> {
  const tx = await kyselyOf(db as Db)
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  try {
    await sql`select set_config('idle_in_transaction_session_timeout', ${PATIENCE}, true)`.execute(
      tx,
    )
    yield* readAll(tx, work)
  } finally {
    // Nothing was written; commit and rollback both free the connection.
    await tx.rollback().execute()
  }
}

async function* readAll<R, T>(tx: ReadDb, work: Work<R, T>): AsyncGenerator<readonly T[]> {
  await takePlace(tx)
  for await (const query of work.queries(tx)) {
    for await (const rows of batchesOf(tx, query)) yield await work.describe(tx, rows)
  }
}

async function takePlace(tx: ReadDb): Promise<void> {
  for (let place = 0; place < MOST_AT_ONCE; place += 1) {
    const { rows } = await sql<{ got: boolean }>`
      select pg_try_advisory_xact_lock(${ADVISORY_LOCK_CLASSES.download}::int, ${place}::int) as got`.execute(
      tx,
    )
    if (rows[0]?.got === true) return
  }
  const message = 'Too many files are being created right now. Please wait a moment.'
  throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: 10 }, message)
}

async function* batchesOf<R>(tx: ReadDb, query: CompiledQuery<R>): AsyncGenerator<R[]> {
  await tx.getExecutor().executeQuery({
    ...query,
    sql: `declare batches no scroll cursor for ${query.sql}`,
  })
  for (;;) {
    const { rows } = await sql<R>`fetch ${sql.lit(BATCH_SIZE)} from batches`.execute(tx)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH_SIZE) break
  }
  await sql`close batches`.execute(tx)
}
