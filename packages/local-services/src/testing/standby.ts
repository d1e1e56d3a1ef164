import { execFile } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Postgres, type PostgresOptions, startPostgres } from '../postgres.ts'

const PAUSE_MS = 50

export type StandbyOptions = PostgresOptions & {
  /** Must differ between the standbys of one primary. */
  name?: string
  asynchronous?: boolean
}

export type Standby = Postgres & {
  /** Makes it the primary. Resolves when it accepts writes. */
  promote(): Promise<void>
}

/**
 * Copies a running primary with PostgreSQL's backup functions and starts the copy as its streaming standby. From then
 * on the primary confirms no commit that the standby has not stored, unless it is `asynchronous`.
 * @param primary its connection URL and folder
 * @param options the folder of the standby, and what `startPostgres` takes
 */
export async function startStandby(
  primary: { url: string; dir: string },
  { name = 'standby', asynchronous = false, ...options }: StandbyOptions,
): Promise<Standby> {
  const { dir } = options
  const { hostname, port, username, password } = new URL(primary.url)
  const upstream = { host: hostname, port, user: username, password, application_name: name }
  return onServer(primary.url, async (run) => {
    await run(`select pg_create_physical_replication_slot('${name}', true)`)
    await copyRunning(run, primary.dir, dir)
    writeData(dir, 'standby.signal', '')
    const settings = {
      primary_conninfo: Object.entries(upstream)
        .map(([key, value]) => `${key}=${value}`)
        .join(' '),
      primary_slot_name: name,
    }
    const standby = await startPostgres({
      ...options,
      settings: { ...settings, ...options.settings },
    })
    if (!asynchronous) {
      await run(`alter system set synchronous_standby_names = '${name}'`)
      await run('select pg_reload_conf()')
    }
    const wanted = asynchronous ? "state = 'streaming'" : "sync_state = 'sync'"
    while ((await run(`select from pg_stat_replication where ${wanted}`)).length === 0) {
      await pause(PAUSE_MS)
    }
    const promote = () =>
      onServer(standby.url, async (runThere) => {
        await runThere('select pg_promote(true)')
      })
    return { ...standby, promote }
  })
}

/**
 * Copies a running server's folder with PostgreSQL's backup functions, with the write-ahead log that the copy needs: a
 * server started on it has everything that was committed before the end of the copy.
 */
export async function copyServer(server: { url: string; dir: string }, dir: string): Promise<void> {
  await onServer(server.url, async (run) => {
    await copyRunning(run, server.dir, dir)
    await promisify(execFile)('cp', ['-a', join(server.dir, 'data/pg_wal'), join(dir, 'data')])
  })
}

/** The copy lacks the write-ahead log. */
async function copyRunning(run: Run, from: string, to: string): Promise<void> {
  await run("select pg_backup_start('copy', true)")
  await copyFolder(from, to)
  const [{ labelfile } = {}] = await run('select labelfile from pg_backup_stop(false)')
  writeData(to, 'backup_label', `${labelfile}`)
}

type Run = (statement: string) => Promise<Record<string, unknown>[]>

async function onServer<T>(url: string, work: (run: Run) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(async (statement) => (await client.query(statement)).rows)
  } finally {
    await client.end()
  }
}

/** Files that the primary removes during the copy do not belong to the backup. */
async function copyFolder(from: string, to: string): Promise<void> {
  mkdirSync(to, { recursive: true })
  const copy = promisify(execFile)('cp', ['-a', `${from}/.`, to])
  await copy.catch((error: Error & { stderr?: string }) => {
    const lines = error.stderr?.trim().split('\n') ?? []
    if (lines.length === 0 || !lines.every((line) => line.includes('No such file'))) throw error
  })
  const data = join(to, 'data')
  for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(data, file))
  for (const folder of ['pg_wal', 'pg_replslot']) {
    for (const entry of readdirSync(join(data, folder))) {
      rmSync(join(data, folder, entry), { recursive: true })
    }
  }
}

/** PostgreSQL may run as another user, and renames or removes these files. */
function writeData(dir: string, name: string, text: string): void {
  const file = join(dir, 'data', name)
  writeFileSync(file, text)
  const { uid, gid } = statSync(join(dir, 'data'))
  chownSync(file, uid, gid)
}
