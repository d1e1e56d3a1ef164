import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type QueryResult,
  Transaction,
} from 'kysely'
import type pg from 'pg'
import { forgetOutdated, nameOf } from './statement-names.ts'

type NoTables = Record<never, never>
type Work<T> = (tx: Transaction<NoTables>) => Promise<T>
/** Runs `work` in a transaction; `onCommit` is called when all that is left is to commit. */
export type Book = <T>(work: Work<T>, onCommit: () => void) => Promise<T>

/**
 * Transactions on connections that prepare each statement once and send it as soon as it is asked for: those that a
 * booking asks for together leave in one write, and run in that order.
 * @param pool its connections must be pipelined
 */
export function bookingsOn(pool: pg.Pool): Book {
  const dialect = new PostgresDialect({ pool })
  const executor = new Kysely<NoTables>({ dialect }).getExecutor()
  const parts = { dialect, config: { dialect }, driver: dialect.createDriver() }
  return async (work, onCommit) => {
    const client = await pool.connect()
    const statements = new Statements(client)
    try {
      await client.query('begin')
      const provider = { provideConnection: statements.provide }
      const result = await work(
        new Transaction<NoTables>({
          ...parts,
          executor: executor.withConnectionProvider(provider),
        }),
      )
      statements.end()
      onCommit()
      const { command } = await client.query('commit')
      // PostgreSQL does not report it as an error that a statement had failed, and answers that it has rolled back.
      if (command !== 'COMMIT')
        throw new Error('a transaction with a failed statement was committed')
      client.release()
      return result
    } catch (error) {
      statements.end()
      await rollBack(client)
      throw error
    }
  }
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
  #isOpen = true
  #isCollecting = false

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  readonly provide = <T>(use: (connection: DatabaseConnection) => Promise<T>) => use(this)

  /** The connection goes on to another transaction, whose statements these must not join. */
  end(): void {
    this.#isOpen = false
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.#isOpen) throw new Error('a statement came after the end of its transaction')
    this.#collect()
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
    throw new Error('a booking reads nothing in portions')
  }

  /** Holds back what is written until this turn of the event loop ends. */
  #collect(): void {
    if (this.#isCollecting) return
    this.#isCollecting = true
    const { stream } = (this.#client as unknown as pg.Client).connection
    stream.cork()
    setImmediate(() => {
      this.#isCollecting = false
      stream.uncork()
    })
  }
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
