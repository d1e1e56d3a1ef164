import { join } from 'node:path'
import { startPostgres } from '@dct/local-services'
import { type Standby, startStandby } from '@dct/local-services/testing/standby'
import { CompiledQuery } from 'kysely'
import { type Db, openDatabase } from '../platform/db.ts'
import { askPrimary } from '../platform/replica/replica.ts'

export type Pair = {
  primary: { url: string; db: Db }
  standby: Standby & {
    db: Db
    /** What it was asked to do so far, one statement each. */
    statements: string[]
    /** Resolves when it has replayed everything that the primary has. */
    caughtUp(): Promise<void>
    /** Goes on receiving the log, but replays none of it. */
    pause(): Promise<void>
    resume(): Promise<void>
  }
  stop(): Promise<void>
}

const STATEMENT = /LOG: {2}(?:statement|execute [^:]*): (.*)/
/** A conflict with the replay cancels a statement at once, and every statement is logged. */
const SETTINGS = { max_standby_streaming_delay: '0', log_statement: 'all' }

/** A primary of its own and a streaming replica of it, which confirms nothing. */
export async function startPair(folder: string): Promise<Pair> {
  const dir = join(folder, 'primary')
  const { url, stop } = await startPostgres({ dir, fast: true })
  const statements: string[] = []
  const standby = await startStandby(
    { url, dir },
    {
      dir: join(folder, 'standby'),
      asynchronous: true,
      settings: SETTINGS,
      onLine(line) {
        const [, statement] = STATEMENT.exec(line) ?? []
        if (statement !== undefined) statements.push(statement)
      },
    },
  )
  const db = openDatabase({ url, maxConnections: 4 })
  const there = openDatabase({ url: standby.url, maxConnections: 1 })
  const isThere = async (condition: string) => {
    const { rows } = await there
      .getExecutor()
      .executeQuery(CompiledQuery.raw(`select where ${condition}`))
    return rows.length === 1
  }
  const until = async (condition: string) => {
    while (!(await isThere(condition))) await new Promise(setImmediate)
  }
  return {
    primary: { url, db },
    standby: {
      ...standby,
      db: there,
      statements,
      async caughtUp() {
        const { position } = await askPrimary(db)
        await until(`pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') >= ${position}`)
      },
      async pause() {
        await isThere('pg_wal_replay_pause() is null')
        await until(`pg_get_wal_replay_pause_state() = 'paused'`)
      },
      async resume() {
        await isThere('pg_wal_replay_resume() is null')
      },
    },
    async stop() {
      await Promise.all([db.destroy(), there.destroy()])
      await Promise.all([standby.stop(), stop()])
    },
  }
}
