import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import {
  findArchiveProblem,
  findBackupProblem,
  lastBackup,
} from '../../platform/database/backups.ts'
import { readClockOffset } from '../../platform/database/clock-offset.ts'
import { unreachableWorkers } from '../../platform/database/cluster.ts'
import { type Db, openDatabase } from '../../platform/database/db.ts'
import { OLDEST_POSTGRES, pendingSteps, unsuitable } from '../../platform/database/migrate.ts'
import { doSignalsArrive } from '../../platform/database/signals.ts'
import { WatchedClient } from '../../platform/database/watched-client.ts'
import type { Chains } from '../chains/chains.ts'
import { DATABASE_CHECKS } from '../check-installation.ts'
import type { Config } from '../config.ts'
import { connectionFailure, MOST_CONNECTIONS } from '../context.ts'
import { StartError } from '../start-error.ts'
import { advice, type Finding, fault, fine, fineIf, judge, judgeChecks } from './finding.ts'

const SUBJECT = 'DATABASE_URL'
/** Left free for others while connections are tried. */
const SPARE_CONNECTIONS = 10
/** Sessions, alarms and the age of prices depend on both clocks. */
const MAX_CLOCK_DIFFERENCE_MS = 5_000

type Deps = {
  config: Config
  chains: Pick<Chains, 'bsc'>
  realClock: Clock
  /** Undefined if the token could not be read. */
  dctDecimals: number | undefined
}

/**
 * Examines the database: reachable, recent enough, writable, durable, migrated, backed up, with the right time and with
 * sessions of its own, of this installation.
 */
export async function examineDatabase(deps: Deps): Promise<Finding[]> {
  const db = openDatabase({ url: deps.config.databaseUrl, maxConnections: 2 })
  try {
    const server = await readServer(db)
    if (typeof server === 'string') {
      return [fault('database.reachable', SUBJECT, `The database does not answer: ${server}.`)]
    }
    // At once: its clock is compared with ours as it is now.
    const described = describeServer(server, deps.realClock)
    const usable = await judge('database.usable', SUBJECT, () => requireUsable(db))
    const schema = await judge('database.migrated', SUBJECT, () => requireMigrated(db))
    // A standby passes no signals, and is a fault anyway.
    const { databaseUrl: url } = deps.config
    const sessions = server.is_standby
      ? []
      : [await examineSessions(db, url), await examineConnections(db, url)]
    const found = [...described, usable, ...sessions, schema]
    if (schema.verdict !== 'fine') return found
    const { config, chains, dctDecimals } = deps
    const known = dctDecimals === undefined ? {} : { dctDecimals }
    const belonging = await judgeChecks(DATABASE_CHECKS, { db, config, chains }, known)
    return [
      ...[...found, ...belonging, await examineTimes(db)],
      ...[...(await examineBackups(deps, db)), ...(await examineWorkers(db))],
    ]
  } finally {
    await db.destroy()
  }
}

type Server = {
  version: number
  now: Date
  is_standby: boolean
  is_read_only: boolean
  is_durable: boolean
}

/** @returns why it does not answer, if so */
async function readServer(db: Db): Promise<Server | string> {
  try {
    const { rows } = await sql<Server>`
      select current_setting('server_version_num')::int / 10000 as version, clock_timestamp() as now,
        pg_is_in_recovery() as is_standby,
        current_setting('default_transaction_read_only')::boolean as is_read_only,
        current_setting('fsync')::boolean as is_durable`.execute(db)
    return rows[0] ?? 'it returned no row'
  } catch (error) {
    return connectionFailure(error)
  }
}

function describeServer({ version, now, ...server }: Server, realClock: Clock): Finding[] {
  const differenceMs = Math.abs(realClock.now().getTime() - now.getTime())
  const differs = `Its clock differs from ours by ${(differenceMs / 1_000).toFixed(1)} s`
  const about = { subject: SUBJECT }
  return [
    fineIf(version >= OLDEST_POSTGRES, {
      ...{ ...about, name: 'database.version', right: `PostgreSQL ${version}.` },
      wrong: `PostgreSQL ${version} is too old: ${OLDEST_POSTGRES} or newer is needed.`,
    }),
    fineIf(!server.is_standby && !server.is_read_only, {
      ...{ ...about, name: 'database.writable', right: 'Accepts writes.' },
      wrong: server.is_standby
        ? 'It is a standby and accepts no writes: name the primary.'
        : 'Its transactions are read-only (default_transaction_read_only): name the primary, or reset that option.',
    }),
    fineIf(server.is_durable, {
      ...{ ...about, name: 'database.durable', right: 'Committed data survives a crash.' },
      wrong:
        'If its machine crashes, committed payments can be lost, and would be made again: turn fsync on.',
    }),
    fineIf(differenceMs <= MAX_CLOCK_DIFFERENCE_MS, {
      ...{ ...about, name: 'database.clock', right: `${differs}.` },
      wrong: `${differs}: synchronise both machines (NTP).`,
    }),
  ]
}

async function examineSessions(db: Db, url: string): Promise<Finding> {
  return fineIf(await doSignalsArrive(db, { url }), {
    ...{ name: 'database.sessions', subject: SUBJECT },
    right: 'Each connection has a session of its own.',
    wrong:
      'Signals do not arrive: a connection pooler must use one session per connection (PgBouncer: pool_mode = session).',
  })
}

/**
 * Opens as many connections as one process does, one after the other, and holds them all. A pooler may accept a login
 * that it has no connection for, so each is asked something. Not where the server has fewer
 * left: a running service would miss them.
 */
async function examineConnections(db: Db, connectionString: string): Promise<Finding> {
  const [name, count] = ['database.connections', MOST_CONNECTIONS]
  const { rows } = await sql<{ most: number; used: number }>`
    select current_setting('max_connections')::int as most,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`.execute(
    db,
  )
  const [{ most, used } = { most: count, used: 0 }] = rows
  if (most > count && most - used < count + SPARE_CONNECTIONS) {
    return advice(name, SUBJECT, `Not tried: ${used} of ${most} connections are in use.`)
  }
  const held: InstanceType<typeof WatchedClient>[] = []
  try {
    while (held.length < count) {
      const client = new WatchedClient({
        connectionString,
        connectionTimeoutMillis: 3_000,
        query_timeout: 3_000,
      })
      client.on('error', () => undefined)
      held.push(client)
      await client.connect()
      await client.query("select 'connection_probe'")
    }
    return fine(name, SUBJECT, `${count} connections at a time, which is what one process opens.`)
  } catch (error) {
    return fault(
      name,
      SUBJECT,
      `It does not give ${count} connections at a time (${connectionFailure(error)}), which each process opens: raise max_connections, or PgBouncer's default_pool_size and max_client_conn, to ${count} for each process.`,
    )
  } finally {
    await Promise.all(held.map((client) => client.end()))
  }
}

/** What is ordered by its time, or valid for a time: each machine's own clock has written it. */
const TIMES = [
  ...['setting_change.at', 'price_sample.at', 'audit_run.started_at', 'claim_availability.seen_at'],
  ...['alarm.raised_at', 'auth_session.created_at', 'loop_report.reported_at'],
  ...['chain_cursor.observed_at', 'outbox_message.at', 'message_bot.taken_until'],
  'backup.finished_at',
]

const TOLERATED_SECONDS = 120

/** Names what a machine has written while its clock was ahead. */
async function examineTimes(db: Db): Promise<Finding> {
  const parts = TIMES.map((column) => {
    const [table = ''] = column.split('.')
    return sql`select ${column} as name, count(*)::int as rows from ${sql.table(table)}
      where ${sql.ref(column)} > now.latest`
  })
  const seconds = Math.max(0, await readClockOffset(db)) / 1_000 + TOLERATED_SECONDS
  const { rows } = await sql<{ name: string; rows: number }>`
    select found.* from (select clock_timestamp() + make_interval(secs => ${seconds}) as latest) as now,
      lateral (${sql.join(parts, sql` union all `)}) as found
    where found.rows > 0`.execute(db)
  const name = 'database.times'
  if (rows.length === 0) return fine(name, SUBJECT, 'Nothing in it is from the future.')
  const list = rows.map((one) => `${one.rows} in ${one.name}`).join(', ')
  return advice(
    name,
    SUBJECT,
    `Times from the future (${list}), written while a clock was wrong: they do not count.`,
  )
}

/** Says when the last backup was made, and whether the write-ahead log is archived if it should be. */
async function examineBackups({ realClock }: Deps, db: Db): Promise<Finding[]> {
  const [name, last] = ['database.backup', await lastBackup(db)]
  if (last === undefined) {
    return [
      advice(
        name,
        SUBJECT,
        'No backup has been recorded yet: set one up before going live, and record each (docs/operating/backups.md).',
      ),
    ]
  }
  const old = await findBackupProblem(db, realClock)
  const archive = await findArchiveProblem(db)
  return [
    old === undefined
      ? fine(name, SUBJECT, `The last backup was made at ${last.toISOString()}.`)
      : fault(name, SUBJECT, `${old} Find out why none was recorded since.`),
    ...(archive === undefined ? [] : [fault('database.archive', SUBJECT, archive)]),
  ]
}

/** Says whether the coordinator of a cluster reaches its workers. */
async function examineWorkers(db: Db): Promise<Finding[]> {
  const silent = await unreachableWorkers(db)
  if (silent === undefined) return []
  return [
    fineIf(silent.length === 0, {
      ...{ name: 'database.workers', subject: SUBJECT },
      right: 'The coordinator of the cluster reaches its workers.',
      wrong: `The coordinator of the cluster does not reach ${silent.join(', ')}: start it, or mend the network.`,
    }),
  ]
}

async function requireUsable(db: Db): Promise<string> {
  const problem = await unsuitable(db)
  if (problem === undefined) return 'Its encoding is UTF8, and its role may create tables.'
  throw new StartError(`It cannot be used: ${problem}.`)
}

async function requireMigrated(db: Db): Promise<string> {
  const steps = await pendingSteps(db)
  if (steps.length === 0) return 'The schema matches this version.'
  throw new StartError(
    `${steps.length} migrations are missing, starting with ${steps[0]}: run node apps/server/command.mjs migrate.`,
  )
}
