import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { keepPlans } from './kept-plans.ts'

/** Tables of the platform itself. Every module adds its own by declaration merging (`declare module`). */
// biome-ignore lint/suspicious/noEmptyInterface: modules merge their tables into it
export interface DB {}

export type Db = Kysely<DB>
/** What must run inside a transaction takes this, so that passing the pool does not compile. */
export type Tx = Transaction<DB>
/** For reads that are right inside and outside of a transaction. */
export type DbOrTx = Kysely<DB>

const INT8 = 20
const DATE = 1082
const NUMERIC = 1700

/** int8 and whole numerics become bigint, dates stay 'YYYY-MM-DD': one set of rules for the whole server. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (format !== 'binary') {
      if (oid === INT8) return BigInt
      if (oid === NUMERIC) return (text: string) => (text.includes('.') ? text : BigInt(text))
      if (oid === DATE) return (text: string) => text
    }
    return pg.types.getTypeParser(oid, format)
  },
}

export type DatabaseOptions = { url: string; maxConnections: number; statementTimeoutMs?: number }

/** Opens the pool. The caller ends it with `db.destroy()`. */
export function openDatabase(options: DatabaseOptions): Db {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.maxConnections,
    types,
    application_name: 'dct-earning',
    connectionTimeoutMillis: 3_000,
    idle_in_transaction_session_timeout: 60_000,
    ...(options.statementTimeoutMs === undefined
      ? {}
      : { statement_timeout: options.statementTimeoutMs }),
  })
  // Without a listener a server stop would end the process with an uncaught 57P01. The query that
  // was running still fails by itself, and the pool makes a new connection for the next one.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
  })
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  keeping.set(db, new Kysely<DB>({ dialect: new PostgresDialect({ pool: keepPlans(pool) }) }))
  return db
}

/** The same pool, for what `inBooking` runs. */
const keeping = new WeakMap<Db, Db>()

/** The SQLSTATE of a database error, undefined for everything else. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined
}

/** True when the named unique or check constraint refused the row. */
export function isViolationOf(error: unknown, constraint: string): boolean {
  return (
    sqlState(error) !== undefined &&
    typeof error === 'object' &&
    error !== null &&
    'constraint' in error &&
    error.constraint === constraint
  )
}

/** Conflicts with others, and a kept statement whose columns changed: see `keepPlans`. */
const RETRYABLE = new Set(['40001', '40P01', '0A000'])
const MAX_TRIES = 5

/** Runs a whole transaction, again from its start when the database says that repeating helps. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      const state = sqlState(error)
      if (state === undefined || !RETRYABLE.has(state) || attempt === MAX_TRIES) throw error
    }
  }
}

/**
 * The same for what runs all the time, statement by statement the same: each connection parses and plans them once.
 * For statements that find their rows by keys, because such a plan does not look at their values.
 */
export async function inBooking<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(keeping.get(db) ?? db, work)
}
