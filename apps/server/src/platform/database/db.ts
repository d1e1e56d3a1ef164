import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type QueryExecutorProvider,
  type RawBuilder,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { type Book, bookingsOn, failuresOf, sendUnread } from './bookings.ts'
import { sessionSettings } from './session-settings.ts'
import { shareConnections } from './shared-connections.ts'
import { WatchedClient } from './watched-client.ts'

/**
 * The database and its transactions, in the form that modules pass to each other: they run queries but give access to
 * no table. Each module's `own` (in its `.tables.ts`) gives access to the tables of that module only.
 */
export type Db = DbOrTx & Pick<Kysely<NoTables>, 'destroy'>
/** For functions that must run inside a transaction, so that passing the pool does not compile. */
export type Tx = DbOrTx & { readonly isTransaction: true }
/** For reads, inside or outside a transaction. Writes that need no transaction take `Db | Tx`. */
export type DbOrTx = QueryExecutorProvider & { readonly mayLag?: never }
/**
 * For reads that may be slightly out of date: a replica (`replica.ts`), or any of the above. Code that decides about
 * money takes one of the above, so that passing a replica does not compile.
 */
export type ReadDb = QueryExecutorProvider & { readonly mayLag?: true }
export type NoTables = Record<never, never>

/** Gives access to tables through a handle; a handle for reading can only select. */
type TablesOf<Tables> = {
  (tx: Tx): Transaction<Tables>
  (db: Db | Tx): Kysely<Tables>
  (db: ReadDb): Pick<Kysely<Tables>, 'selectFrom'>
}

/** Creates the `own` of a module from its tables and the views that it reads. */
export function tablesOf<Tables>(): TablesOf<Tables> {
  return ((db: unknown) => db) as TablesOf<Tables>
}

/** For operations that need no table: transactions and connections. */
export const kyselyOf = tablesOf<NoTables>()

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

const IDLE_IN_TRANSACTION_MS = 60_000

export type DatabaseOptions = { url: string; maxConnections: number; statementTimeoutMs?: number }

/** Opens the pool. The caller ends it with `db.destroy()`. */
export function openDatabase(options: DatabaseOptions): Db {
  const session = sessionSettings({
    statementMs: options.statementTimeoutMs,
    idleInTransactionMs: IDLE_IN_TRANSACTION_MS,
  })
  const pool = new pg.Pool({
    Client: WatchedClient,
    connectionString: options.url,
    max: options.maxConnections,
    types,
    application_name: 'dct-earning',
    // Statements are sent as soon as they are issued: see `bookingsOn`.
    pipeline: true,
    connectionTimeoutMillis: 3_000,
    onConnect: (client) => client.query(session),
  })
  // Without a listener a server stop would end the process with an uncaught 57P01. The query that
  // was running still fails, and the pool opens a new connection for the next one.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
  })
  const shared = shareConnections(pool)
  const end = async () => {
    await shared.end()
    await pool.end()
  }
  const db = new Kysely<NoTables>({
    dialect: new PostgresDialect({
      pool: { options: pool.options, connect: () => pool.connect(), end },
    }),
  })
  const book = bookingsOn(pool)
  booking.set(db, book)
  pools.set(db, pool)
  const reads = new SharedReads(db, shared)
  booking.set(reads, book)
  sharing.set(db, reads)
  return db
}

/** The pool behind a handle, for `poolState`. */
const pools = new WeakMap<Db, pg.Pool>()

/** How many connections the pool of an opened database has, and how many callers wait for one. */
export function poolState(db: Db): { used: number; idle: number; waiting: number } {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pools.get(db) ?? {}
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

/** Transactions on the same pool, for `inBooking`. */
const booking = new WeakMap<Db, Book>()
/** The same database with connections that calls share, for `sharedReads`. */
const sharing = new WeakMap<Db, Db>()

/** Sends single statements over shared connections, and runs each transaction on its own connection. */
class SharedReads extends Kysely<NoTables> {
  readonly #whole: Kysely<NoTables>

  constructor(whole: Kysely<NoTables>, pool: PostgresPool) {
    super({ dialect: new PostgresDialect({ pool }) })
    this.#whole = whole
  }

  override transaction() {
    return this.#whole.transaction()
  }

  override startTransaction() {
    return this.#whole.startTransaction()
  }

  override connection() {
    return this.#whole.connection()
  }
}

/**
 * The same database for frequent calls: their single reads are prepared once and sent over a few connections that all
 * calls share. Only for reads that find their rows by key and take a few milliseconds, because a prepared plan ignores
 * the values, and other reads wait behind them.
 */
export function sharedReads(db: Db): Db {
  return sharing.get(db) ?? db
}

/** The SQLSTATE of a database error, undefined for everything else. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  const { code } = error
  // Every SQLSTATE has a digit; a code of the system, such as EPIPE, has none.
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** The connection was lost while a transaction was being committed: whether it took effect is unknown. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown'

  constructor(cause: unknown) {
    super('The connection to the database was lost during a commit', { cause })
  }
}

/** The database is unreachable, full, too slow or without its disk, or a former primary that takes no writes any more. */
const STATE = /^(08|53|57|58|25006$)/
const NETWORK_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN'],
])
/** The driver's messages about a lost connection, in errors without a code. */
const DRIVER_MESSAGE =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|timeout exceeded when trying to connect)/

/** The SQLSTATE that Citus uses for a lost worker, among much else; only the message tells them apart. */
const WORKER_STATE = 'XX000'
const WORKER_MESSAGE =
  /^(failure on connection marked as essential|failed to COPY to shard|server closed the connection|no connection to the server|connection not open|could not (send|receive) data|SSL (SYSCALL|connection))/

/** Whether an error means that the database was out of reach, and not that a statement was wrong. */
export function isOutage(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined && state !== WORKER_STATE) return STATE.test(state)
  if (!(error instanceof Error)) return false
  if (state !== undefined) return WORKER_MESSAGE.test(error.message)
  // A socket's file that is gone, or a connection refused in any other way.
  if ('syscall' in error && error.syscall === 'connect') return true
  if ('code' in error && typeof error.code === 'string') return NETWORK_CODES.has(error.code)
  return DRIVER_MESSAGE.test(error.message)
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

/** Conflicts with other transactions, and a prepared statement whose columns changed: see `bookingsOn`. */
const RETRYABLE = new Set(['40001', '40P01', '0A000'])
const MAX_TRIES = 5

/**
 * Runs a transaction, and repeats all of it when the database reports an error that a retry can solve.
 * @throws OutcomeUnknown when the connection was lost during the commit
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return repeatedly((onCommit) =>
    kyselyOf(db)
      .transaction()
      .execute(async (tx) => {
        const result = await work(tx)
        onCommit()
        return result
      }),
  )
}

async function repeatedly<T>(transact: (onCommit: () => void) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    let isCommitting = false
    try {
      return await transact(() => {
        isCommitting = true
      })
    } catch (error) {
      if (isCommitting && isOutage(error)) throw new OutcomeUnknown(error)
      const state = sqlState(error)
      if (state === undefined || !RETRYABLE.has(state) || attempt === MAX_TRIES) throw error
    }
  }
}

/**
 * Like `inTransaction`, for statements that run often and whose text never changes: each connection prepares them once,
 * and those passed to `together` are sent together. Only for statements that find their rows by key, because a prepared
 * plan ignores the values.
 */
export async function inBooking<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const book = booking.get(db)
  return book === undefined
    ? inTransaction(db, work)
    : repeatedly((onCommit) => book(work, onCommit))
}

/**
 * Waits for statements of one transaction that do not need each other's results. They run in the order in which they
 * were issued, so the order in which they lock rows does not change.
 * @throws the original failure, once no statement is running: none may outlive its transaction
 */
export async function together<T extends readonly unknown[]>(
  ...statements: { [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  const settled = await Promise.allSettled(statements)
  const [failure] = failuresOf(settled)
  if (failure !== undefined) throw failure
  return settled.map((one) => (one.status === 'fulfilled' ? one.value : undefined)) as unknown as T
}

/**
 * Runs a statement whose result is not needed. In a booking, it does not wait for the result: the statements after it,
 * including the commit, are sent immediately. So contended rows are locked only for as long as PostgreSQL needs, and
 * not for a round trip to this process.
 */
export async function unread(tx: Tx, statement: RawBuilder<unknown>): Promise<void> {
  const query = statement.compile(tx)
  if (!sendUnread(tx, query)) await kyselyOf(tx).executeQuery(query)
}
