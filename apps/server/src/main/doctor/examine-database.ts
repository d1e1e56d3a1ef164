import { sql } from 'kysely'
import { ownAddresses } from '../../modules/chain/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { doAnnouncementsArrive } from '../../platform/database/announcements.ts'
import { type Db, openDatabase } from '../../platform/database/db.ts'
import { pendingSteps, unsuitable } from '../../platform/database/migrate.ts'
import { comparePins } from '../../platform/database/pins.ts'
import type { Chains } from '../chains/chains.ts'
import type { Config } from '../config.ts'
import { pinsOf, requireOneRole } from '../context.ts'
import { requireHistories } from '../histories.ts'
import { StartError } from '../start-error.ts'
import { type Finding, fault, fine, judge } from './finding.ts'

const SUBJECT = 'DATABASE_URL'
const OLDEST_VERSION = 16
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
 * Examines the database: reachable, recent enough, writable, durable, migrated, with the right time and with sessions of
 * its own, of this installation.
 */
export async function examineDatabase(deps: Deps): Promise<Finding[]> {
  const db = openDatabase({ url: deps.config.databaseUrl, maxConnections: 2 })
  try {
    const server = await readServer(db)
    if (server instanceof Error) {
      return [
        fault('database.reachable', SUBJECT, `The database does not answer: ${server.message}.`),
      ]
    }
    const usable = await judge('database.usable', SUBJECT, () => requireUsable(db))
    const schema = await judge('database.migrated', SUBJECT, () => requireMigrated(db))
    // A standby passes no announcements, and is a fault anyway.
    const sessions = server.is_standby ? [] : [await examineSessions(db, deps.config.databaseUrl)]
    const found = [...describeServer(server, deps.realClock), usable, ...sessions, schema]
    return schema.verdict === 'fine' ? [...found, ...(await examineOwner(db, deps))] : found
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

async function readServer(db: Db): Promise<Server | Error> {
  try {
    const { rows } = await sql<Server>`
      select current_setting('server_version_num')::int / 10000 as version, clock_timestamp() as now,
        pg_is_in_recovery() as is_standby,
        current_setting('default_transaction_read_only')::boolean as is_read_only,
        current_setting('fsync')::boolean as is_durable`.execute(db)
    return rows[0] ?? new Error('it returned no row')
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

function describeServer({ version, now, ...server }: Server, realClock: Clock): Finding[] {
  const differenceMs = Math.abs(realClock.now().getTime() - now.getTime())
  const seconds = (differenceMs / 1_000).toFixed(1)
  const isWritable = !server.is_standby && !server.is_read_only
  return [
    version >= OLDEST_VERSION
      ? fine('database.version', SUBJECT, `PostgreSQL ${version}.`)
      : fault(
          'database.version',
          SUBJECT,
          `PostgreSQL ${version} is too old: ${OLDEST_VERSION} or newer is needed.`,
        ),
    isWritable
      ? fine('database.writable', SUBJECT, 'Accepts writes.')
      : fault(
          'database.writable',
          SUBJECT,
          server.is_standby
            ? 'It is a standby and accepts no writes: name the primary.'
            : 'Its transactions are read-only (default_transaction_read_only): name the primary, or reset that option.',
        ),
    server.is_durable
      ? fine('database.durable', SUBJECT, 'Committed data survives a crash.')
      : fault(
          'database.durable',
          SUBJECT,
          'If its machine crashes, committed payments can be lost, and would be made again: turn fsync on.',
        ),
    differenceMs <= MAX_CLOCK_DIFFERENCE_MS
      ? fine('database.clock', SUBJECT, `Its clock differs from ours by ${seconds} s.`)
      : fault(
          'database.clock',
          SUBJECT,
          `Its clock differs from ours by ${seconds} s: synchronise both machines (NTP).`,
        ),
  ]
}

async function examineSessions(db: Db, url: string): Promise<Finding> {
  return (await doAnnouncementsArrive(db, { url }))
    ? fine('database.sessions', SUBJECT, 'Each connection has a session of its own.')
    : fault(
        'database.sessions',
        SUBJECT,
        'Announcements do not arrive: a connection pooler must use one session per connection (PgBouncer: pool_mode = session).',
      )
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

async function examineOwner(db: Db, { config, chains, dctDecimals }: Deps): Promise<Finding[]> {
  const belonging = await judge('database.installation', SUBJECT, async () => {
    const { 'decimals of the token': decimals, ...facts } = pinsOf(config, dctDecimals ?? 0)
    const known = dctDecimals === undefined ? {} : { 'decimals of the token': decimals }
    await comparePins(db, { ...facts, ...known })
    return 'It belongs to these chains and contracts, or to none yet.'
  })
  const histories = await judge('database.histories', 'HISTORIES', async () => {
    await requireHistories(db, config.histories)
    return config.histories === 'plain'
      ? 'The histories are only in this database.'
      : 'The histories are spread over the workers of a Citus cluster.'
  })
  const roles = await judge('receiver.role', 'BSC_RECEIVER', async () => {
    requireOneRole(await ownAddresses(db), chains.bsc)
    return `${config.bsc.receiver} was never a payout wallet, and ${config.bsc.payoutAddress} never a receiver.`
  })
  return [belonging, histories, roles]
}
