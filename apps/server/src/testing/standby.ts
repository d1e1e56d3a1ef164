import { basename, join } from 'node:path'
import { startPostgres } from '@dct/local-services'
import { type Standby, startStandby } from '@dct/local-services/testing/standby'
import { CompiledQuery } from 'kysely'
import { type Db, openDatabase } from '../platform/database/db.ts'

type Primary = { url: string; db: Db; dir: string }
type Follower = Primary &
  Standby & {
    /** The statements that it has executed so far. */
    statements: string[]
    /** Resolves once it has replayed everything that its primary has written. */
    caughtUp(): Promise<void>
    /** Continues to receive the log, but stops replaying it. */
    pause(): Promise<void>
    resume(): Promise<void>
  }
export type Pair = {
  primary: Primary & { stop(): Promise<void> }
  standby: Follower
  stop(): Promise<void>
}

const STATEMENT = /LOG: {2}(?:statement|execute [^:]*): (.*)/
/** A conflict with the replay cancels a statement immediately, and every statement is logged. */
const SETTINGS = { max_standby_streaming_delay: '0', log_statement: 'all' }

/** A separate primary and a streaming replica of it, which is asynchronous. */
export async function startPair(folder: string): Promise<Pair> {
  const dir = join(folder, 'primary')
  const { url, stop } = await startPostgres({ dir, fast: true })
  const db = openDatabase({ url, maxConnections: 4 })
  const primary = { url, db, dir, stop }
  const standby = await startFollower(primary, join(folder, 'standby'))
  return {
    ...{ primary, standby },
    async stop() {
      await db.destroy()
      await standby.stop()
      await stop()
    },
  }
}

async function startFollower(primary: Primary, dir: string): Promise<Follower> {
  const statements: string[] = []
  const server = await startStandby(primary, {
    ...{ dir, name: basename(dir), asynchronous: true, settings: SETTINGS },
    onLine(line) {
      const [, statement] = STATEMENT.exec(line) ?? []
      if (statement !== undefined) statements.push(statement)
    },
  })
  const db = openDatabase({ url: server.url, maxConnections: 1 })
  const isThere = async (condition: string) => {
    const { rows } = await db
      .getExecutor()
      .executeQuery(CompiledQuery.raw(`select where ${condition}`))
    return rows.length === 1
  }
  const until = async (condition: string) => {
    while (!(await isThere(condition))) await new Promise(setImmediate)
  }
  const onPrimary = (statement: string) =>
    primary.db.getExecutor().executeQuery(CompiledQuery.raw(statement))
  return {
    ...{ ...server, db, dir, statements },
    async caughtUp() {
      const { rows } = await onPrimary('select pg_current_wal_insert_lsn()::text as position')
      const [{ position } = {}] = rows as { position?: string }[]
      await until(`pg_last_wal_replay_lsn() >= '${position}'`)
    },
    async pause() {
      await isThere('pg_wal_replay_pause() is null')
      await until(`pg_get_wal_replay_pause_state() = 'paused'`)
    },
    async resume() {
      await isThere('pg_wal_replay_resume() is null')
    },
    async stop() {
      await db.destroy()
      await server.stop()
    },
  }
}
