import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { VERSION } from '../version.ts'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import { spreadTables } from './cluster.ts'
import { type Db, kyselyOf, sqlState } from './db.ts'

const MIGRATIONS = new URL('../../../migrations/', import.meta.url)
/** The number that a step's name begins with. Names without one belong to no step. */
const NUMBERED = /^\d{4}-/
/** The version that a step after the baseline came with. */
const CAME_WITH = /^\d{4}-(\d+)\.(\d+)\.\d+-/
/** The first line of a file whose statements PostgreSQL refuses inside a transaction. */
const NO_TRANSACTION = '-- no transaction'
const LOCK_RETRY_MS = 100
/** The longest wait for a table lock. While a statement waits for one, all later statements queue, including users'. */
const TABLE_LOCK_WITHIN = '300ms'
const TABLE_LOCK_RETRY_MS = 1_000
const TABLE_LOCK_TRIES = 600
/** SQLSTATE lock_not_available. */
const NO_LOCK = '55P03'

export type MigrateOptions = {
  folder?: URL
  /** The steps to run, if not all. */
  through?: readonly string[]
}

/** The database's schema cannot be migrated by this version. */
export class SchemaMismatch extends Error {
  override name = 'SchemaMismatch'
}

/**
 * Migrates the schema to this version, or an empty database through the given steps. A step is a numbered `.sql` file,
 * or a numbered folder whose files run in the order of their names; the first one is the baseline. A step runs in one
 * transaction and is recorded there, with a hash of its files. A file that begins with `-- no transaction` runs statement by statement (each ends
 * with a semicolon at the end of a line) and is recorded afterwards: it must be safe to run again after a failure
 * half-way. Several processes may call this at the same time, and steps of the next minor version may already have run,
 * because this version can work with them.
 * @returns the names of the steps that ran.
 * @throws SchemaMismatch when the database was made before the baseline, by other files of the same steps, or by a
 * version after the next one.
 */
export async function migrate(
  db: Db,
  { folder = MIGRATIONS, through }: MigrateOptions = {},
): Promise<string[]> {
  const steps = (await readdir(folder)).filter((name) => NUMBERED.test(name)).sort()
  return kyselyOf(db)
    .connection()
    .execute(async (connection) => {
      // Migrations are exempt from the statement timeout of the service.
      const { rows } = await sql<{ timeout: string }>`
        select current_setting('statement_timeout') as timeout`.execute(connection)
      await sql`set statement_timeout = 0`.execute(connection)
      await takeLock(connection)
      try {
        const problem = await unsuitable(connection)
        if (problem !== undefined)
          throw new SchemaMismatch(`DATABASE_URL is not usable: ${problem}.`)
        const recorded = await recordedSteps(connection)
        const missing = await missingSteps({ folder, steps, recorded, through })
        for (const step of missing) await runStep(connection, folder, step)
        if (folder === MIGRATIONS && through === undefined) await spreadTables(connection)
        return missing
      } finally {
        await sql`select pg_advisory_unlock(${ADVISORY_LOCKS.migration})`.execute(connection)
        const timeout = rows[0]?.timeout ?? '0'
        await sql`select set_config('statement_timeout', ${timeout}, false)`.execute(connection)
      }
    })
}

/** The oldest PostgreSQL that has what the statements use. */
export const OLDEST_POSTGRES = 16

/**
 * Why no schema can be made in this database, as a sentence for its operator; undefined if one can. Only reads.
 */
export async function unsuitable(db: Db, oldest = OLDEST_POSTGRES): Promise<string | undefined> {
  const { rows } = await sql<{
    version: number
    encoding: string
    role: string
    place: string | null
    may_create: boolean
  }>`
    select current_setting('server_version_num')::int / 10000 as version,
      current_setting('server_encoding') as encoding, current_user as role, current_schema() as place,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create`.execute(db)
  const [found] = rows
  if (found === undefined) return undefined
  if (found.version < oldest) {
    return `it is PostgreSQL ${found.version}, and ${oldest} or newer is needed`
  }
  if (found.encoding !== 'UTF8') {
    return `its encoding is ${found.encoding}: create it with create database … encoding 'UTF8' template template0`
  }
  if (found.may_create) return undefined
  return `the role ${found.role} may not create tables: grant create, usage on schema ${found.place ?? 'public'} to ${found.role}, or make it the owner of the database`
}

/**
 * The steps that are still to run. Only reads.
 * @throws SchemaMismatch like `migrate`
 */
export async function pendingSteps(db: Db): Promise<string[]> {
  const steps = (await readdir(MIGRATIONS)).filter((name) => NUMBERED.test(name)).sort()
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('migration') is not null as exists`.execute(db)
  const recorded: Recorded = rows[0]?.exists ? await readRecorded(db) : new Map()
  return missingSteps({ folder: MIGRATIONS, steps, recorded })
}

/** Whether the schema is one that this version can work with. */
export async function isMigrated(db: Db): Promise<boolean> {
  const steps = (await readdir(MIGRATIONS)).filter((name) => NUMBERED.test(name))
  const recorded = await readRecorded(db)
  const others = [...recorded.keys()].filter((name) => !steps.includes(name))
  return steps.every((name) => recorded.has(name)) && others.every(letsThisVersionRun)
}

/** Whether a step came with the minor version after this one. */
function letsThisVersionRun(step: string): boolean {
  const [major, minor] = VERSION.split('.').map(Number)
  const [, stepMajor, stepMinor] = CAME_WITH.exec(step) ?? []
  return Number(stepMajor) === major && Number(stepMinor) - 1 === minor
}

/**
 * One process migrates at a time. Polls instead of waiting inside a statement: `create index concurrently` waits for
 * all running statements, so it would deadlock with another process that waits for this lock.
 */
async function takeLock(connection: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ taken: boolean }>`
      select pg_try_advisory_lock(${ADVISORY_LOCKS.migration}) as taken`.execute(connection)
    if (rows[0]?.taken) return
    await sleep(LOCK_RETRY_MS)
  }
}

/** The hash of the files of each step that ran; null if it was run by a version that recorded none. */
type Recorded = ReadonlyMap<string, string | null>

async function recordedSteps(connection: Db): Promise<Recorded> {
  await sql`
    create table if not exists migration (
      name text primary key, ran_at timestamptz not null default now(), hash text
    )`.execute(connection)
  return readRecorded(connection)
}

async function readRecorded(db: Db): Promise<Recorded> {
  // By way of JSON, because the column may be absent.
  const { rows } = await sql<{ name: string; hash: string | null }>`
    select name, to_jsonb(migration) ->> 'hash' as hash from migration order by name`.execute(db)
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}

const NOT_MIGRATED =
  'and cannot be migrated. Start the version that made it, or set DATABASE_URL to an empty database. ' +
  'The development network is started with empty data by: npm start -- --reset'

type Present = {
  folder: URL
  steps: readonly string[]
  recorded: Recorded
  through?: readonly string[] | undefined
}

async function missingSteps({
  folder,
  steps,
  recorded,
  through = steps,
}: Present): Promise<string[]> {
  const [baseline = ''] = steps
  const unknown = [...[...recorded.keys()].filter((name) => !letsThisVersionRun(name)), ...through]
    .filter((name) => !steps.includes(name))
    .join(', ')
  if (recorded.size > 0 && !recorded.has(baseline)) {
    throw new SchemaMismatch(
      `The database is older than ${baseline}, the baseline of this version (it has ${unknown}), ${NOT_MIGRATED}`,
    )
  }
  for (const step of steps) {
    if (!recorded.has(step) || recorded.get(step) === hashOf(await readStep(folder, step))) continue
    throw new SchemaMismatch(
      `The database was made by another state of ${step} than this version has, ${NOT_MIGRATED}`,
    )
  }
  if (unknown !== '') {
    throw new SchemaMismatch(
      `The database was migrated by a newer version (it has ${unknown}). Start that version.`,
    )
  }
  return through.filter((name) => !recorded.has(name))
}

function hashOf(files: readonly File[]): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex')
}

async function runStep(connection: Db, folder: URL, step: string): Promise<void> {
  const files = await readStep(folder, step)
  const record = (db: Db) =>
    sql`insert into migration (name, hash) values (${step}, ${hashOf(files)})`.execute(db)
  if (files[0]?.text.startsWith(NO_TRANSACTION)) {
    for (const { path, text } of files) {
      for (const statement of text.split(/;\s*$/m)) await run(connection, { path, text: statement })
    }
    await record(connection)
    return
  }
  const attempt = () =>
    kyselyOf(connection)
      .transaction()
      .execute(async (tx) => {
        await sql`select set_config('lock_timeout', ${TABLE_LOCK_WITHIN}, true)`.execute(tx)
        for (const file of files) await run(tx, file)
        await record(tx)
      })
  await untilLocked(attempt)
}

/** Retries while a table is locked, as by a backup, so that other statements never queue behind this one for long. */
async function untilLocked(attempt: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      const isLocked = error instanceof Error && sqlState(error.cause) === NO_LOCK
      if (!isLocked || tries === TABLE_LOCK_TRIES) throw error
      await sleep(TABLE_LOCK_RETRY_MS)
    }
  }
}

type File = { path: string; text: string }

async function readStep(folder: URL, step: string): Promise<File[]> {
  const paths = step.endsWith('.sql')
    ? [step]
    : (await readdir(new URL(`${step}/`, folder))).sort().map((name) => `${step}/${name}`)
  return Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(new URL(path, folder), 'utf8') })),
  )
}

/** Runs all statements of a text. An error names the file and, where PostgreSQL knows it, the line. */
async function run(db: Db, { path, text }: File): Promise<void> {
  try {
    await sql.raw(text).execute(db)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const position = 'position' in error ? Number(error.position) : Number.NaN
    const line = Number.isNaN(position) ? '' : `:${text.slice(0, position).split('\n').length}`
    throw new Error(`${path}${line}: ${error.message}`, { cause: error })
  }
}
