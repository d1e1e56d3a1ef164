import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type QueryResult,
  Transaction,
} from 'kysely'
import type pg from 'pg'
import { bufferWrites } from './buffer-writes.ts'
import { forgetOutdated, nameOf } from './statement-names.ts'

type NoTables = Record<never, never>
type Work<T> = (tx: Transaction<NoTables>) => Promise<T>
/** Runs `work` in a transaction; `onUnknown` is called when the answer to the commit is lost. */
export type Book = <T>(work: Work<T>, onUnknown: () => void) => Promise<T>

/**
 * Runs transactions, called bookings, on connections that prepare each statement once and send it as soon as it is
 * issued: statements that a booking issues together go out in one write, and run in that order.
 * @param pool its connections must be pipelined
 */
export function bookingsOn(pool: pg.Pool): Book {
  const dialect = new PostgresDialect({ pool })
  const executor = new Kysely<NoTables>({ dialect }).getExecutor()
  const parts = { dialect, config: { dialect }, driver: dialect.createDriver() }
  return async (work, onUnknown) => {
    const client = await pool.connect()
    const statements = new Statements(client)
    try {
      await client.query('begin')
      const provider = { provideConnection: statements.provide }
      const tx = new Transaction<NoTables>({
        ...parts,
        executor: executor.withConnectionProvider(provider),
      })
      open.set(tx, statements)
      const result = await work(tx)
      const { command } = await statements.commit(onUnknown)
      // After a failed statement, PostgreSQL answers a commit with ROLLBACK instead of an error.
      if (command !== 'COMMIT')
        throw new Error('a transaction with a failed statement was rolled back at its commit')
      client.release()
      return result
    } catch (error) {
      statements.end()
      await rollBack(client)
      throw await statements.causeOf(error)
    }
  }
}

/** The statements of each running booking, by its transaction handle. */
const open = new WeakMap<object, Statements>()

/**
 * Sends a statement of a booking without waiting for its result. If the statement fails, so does the booking.
 * @returns false when the transaction is not a booking; nothing is sent then
 */
export function sendUnread(tx: object, query: CompiledQuery): boolean {
  const statements = open.get(tx)
  statements?.sendUnread(query)
  return statements !== undefined
}

/** SQLSTATE of every statement after a failed one in the same transaction. */
const AFTER_FAILURE = '25P02'

/** The failures among the statements of one transaction, the original failure before those that it caused. */
export function failuresOf(settled: readonly PromiseSettledResult<unknown>[]): unknown[] {
  const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  const isConsequence = (error: unknown) =>
    error instanceof Error && 'code' in error && error.code === AFTER_FAILURE
  return [...failures.filter((one) => !isConsequence(one)), ...failures.filter(isConsequence)]
}

async function rollBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback')
    client.release()
  } catch {
    // The connection is lost, and with it the transaction.
    client.release(true)
  }
}

/** The statements of one transaction. */
class Statements implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #unread: Promise<unknown>[] = []
  #isOpen = true

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  readonly provide = <T>(use: (connection: DatabaseConnection) => Promise<T>) => use(this)

  /** Refuses further statements, because the connection may already serve another transaction. */
  end(): void {
    this.#isOpen = false
  }

  sendUnread(query: CompiledQuery): void {
    const answer = this.executeQuery(query)
    // Prevents an unhandled rejection: the booking looks at the failure only when it ends.
    answer.catch(() => undefined)
    this.#unread.push(answer)
  }

  /**
   * Commits. After a failed statement, PostgreSQL rolls back instead.
   * @param onUnknown called when the answer is lost, so that nobody knows whether the transaction took effect
   */
  async commit(onUnknown: () => void): Promise<pg.QueryResult> {
    this.end()
    bufferWrites(this.#client)
    const [committed, ...unread] = await Promise.allSettled([
      this.#client.query('commit'),
      ...this.#unread,
    ])
    if (committed.status === 'rejected') {
      onUnknown()
      throw committed.reason
    }
    const [failure] = failuresOf(unread)
    if (failure !== undefined) throw failure
    return committed.value
  }

  /** The original cause of an error: if an earlier statement whose result nobody read has failed, that failure. */
  async causeOf(error: unknown): Promise<unknown> {
    return failuresOf([
      ...(await Promise.allSettled(this.#unread)),
      { status: 'rejected', reason: error },
    ])[0]
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.#isOpen) throw new Error('a statement was issued after the end of its transaction')
    bufferWrites(this.#client)
    const name = nameOf(text)
    try {
      const answer = await this.#client.query({
        ...(name && { name }),
        ...{ text, values: [...parameters] },
      })
      const { command, rowCount, rows } = answer
      return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
    } catch (error) {
      forgetOutdated(error)
      throw error
    }
  }

  async *streamQuery(): AsyncIterableIterator<never> {
    yield* []
    throw new Error('a booking cannot stream results')
  }
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
