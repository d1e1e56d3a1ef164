import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { GuardedCommand } from './guard.ts'
import { assertPortFree, freePort } from './ports.ts'
import { isOpenToAll, postgresBinaries } from './postgres-binaries.ts'
import { endLeftover } from './processes.ts'
import { type ReadyProcess, startUntilReady } from './ready-process.ts'
import { ServiceError } from './service-error.ts'

export type PostgresOptions = {
  /** Contains only the database and its password. Only one process may use it at a time. */
  dir: string
  /** A free port by default. */
  port?: number
  /** For tests: trades durability for speed. */
  fast?: boolean
  /** Additional server settings, by name. */
  settings?: Readonly<Record<string, string>>
  /** Called with every line of the server's log. */
  onLine?(line: string): void
}

export type Postgres = Omit<ReadyProcess, 'stop'> & {
  /** The superuser's connection URL for the database `postgres`, including the password. */
  url: string
  port: number
  /** A fast shutdown: open sessions are ended, and everything committed is on disk. */
  stop(): Promise<void>
}

/** The user that runs the server's programs: PostgreSQL refuses to run as root. */
type Runner = {
  uid?: number
  gid?: number
  /** A prefix of every command. */
  prefix: readonly string[]
}

type Place = { dir: string; data: string; bin: string; runner: Runner }

const NOBODY = 65_534
const START_PATIENCE_MS = 15_000
/** A standby accepts reads only. */
const READY = /ready to accept (read-only )?connections/

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  max_connections: '100',
  jit: 'off',
  io_method: 'sync',
}
const FAST_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/**
 * Starts a real PostgreSQL on 127.0.0.1 that ends together with this process; creates its database on first use and
 * reuses it later. Works as an ordinary user and as root. Resolves when it accepts connections.
 * @throws ServiceError naming the port if it is taken, or with the server's last lines
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const dir = resolve(options.dir)
  mkdirSync(dir, { recursive: true })
  const data = join(dir, 'data')
  const place = { dir, data, bin: join(postgresBinaries(), 'bin'), runner: chooseRunner(dir, data) }
  if (!existsSync(data)) await createDatabase(place)
  else await endStaleServer(data)

  const port = options.port ?? (await freePort())
  await assertPortFree(port)
  const server = await startServer(
    place,
    port,
    {
      ...SETTINGS,
      ...(options.fast && FAST_SETTINGS),
      ...options.settings,
    },
    options.onLine,
  )
  const password = readFileSync(join(dir, 'password'), 'utf8')
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, port, ...server }
}

/**
 * As root: runs as the owner of existing data, else as nobody. If that user may not enter the folders above (a clone
 * below /root), it gets the one capability that allows this.
 */
function chooseRunner(dir: string, data: string): Runner {
  const self = process.getuid?.()
  const owner = existsSync(data) ? statSync(data) : undefined
  if (self !== 0) {
    if (owner && owner.uid !== self) {
      throw new ServiceError(
        `The database in ${dir} belongs to another user (uid ${owner.uid}): ` +
          'start as that user, or choose another DATA_DIR.',
      )
    }
    return { prefix: [] }
  }
  const uid = owner?.uid || NOBODY
  const gid = owner?.gid || NOBODY
  if (isOpenToAll(dir) && isOpenToAll(postgresBinaries())) return { uid, gid, prefix: [] }
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path))
  if (setpriv === undefined) {
    throw new ServiceError(
      `PostgreSQL does not run as root, and other users may not enter ${dir}: ` +
        'start as an ordinary user, or choose a DATA_DIR (and a place for this folder) that all users can enter.',
    )
  }
  const ids = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  // The secure bit makes access(2) respect the capability too; PostgreSQL calls it on its own programs.
  const pass = ['--securebits=+no_setuid_fixup']
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  return { prefix: [setpriv, ...ids, ...pass, ...capability, '--'] }
}

function commandOf(place: Place, program: string, args: readonly string[]) {
  const { prefix, ...ids } = place.runner
  const [command = '', ...rest] = [...prefix, join(place.bin, program), ...args]
  const env = { PATH: process.env.PATH, LC_ALL: 'C', LANG: 'C', TZ: 'UTC', HOME: '/' }
  return { command, args: rest, env, cwd: '/', ...ids }
}

/** A database only counts once it has its final name, so a crash half-way is harmless. */
async function createDatabase(place: Place): Promise<void> {
  const unfinished = join(place.dir, 'data.unfinished')
  const passwordForInit = join(place.dir, 'password.init')
  const password = randomBytes(24).toString('base64url')
  writeFileSync(join(place.dir, 'password'), password, { mode: 0o600 })
  rmSync(passwordForInit, { force: true })
  writeFileSync(passwordForInit, password, { mode: 0o600 })
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  if (process.getuid?.() === 0) {
    chownSync(passwordForInit, NOBODY, NOBODY)
    chownSync(unfinished, NOBODY, NOBODY)
  }
  const { command, args, ...options } = commandOf(place, 'initdb', [
    ...['-D', unfinished, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordForInit}`],
    ...['-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'],
  ])
  try {
    await promisify(execFile)(command, args, options)
  } catch (cause) {
    const output = cause instanceof Error && 'stderr' in cause ? `${cause.stderr}`.trim() : cause
    throw new ServiceError(`PostgreSQL could not create its database in ${place.dir}:\n${output}`, {
      cause,
    })
  }
  rmSync(passwordForInit)
  renameSync(unfinished, place.data)
}

/**
 * PostgreSQL refuses to start next to a postmaster.pid whose process id is in use, be it by a zombie or by an unrelated
 * process that got the id later. A server left behind by a killed owner is stopped first.
 */
async function endStaleServer(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
  const stop = { signal: 'SIGINT', patienceMs: START_PATIENCE_MS } as const
  if (!(await endLeftover({ pid, args: data }, stop))) {
    throw new ServiceError(
      `Another PostgreSQL (process ${pid}) still uses ${data} and does not stop.`,
    )
  }
  rmSync(file, { force: true })
}

async function startServer(
  place: Place,
  port: number,
  settings: Readonly<Record<string, string>>,
  onLine: PostgresOptions['onLine'],
) {
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command: GuardedCommand = {
    ...commandOf(place, 'postgres', ['-D', place.data, '-p', `${port}`, ...args]),
    // SIGINT is the fast shutdown; SIGTERM would wait for other clients to disconnect.
    orphanSignal: 'SIGINT',
    onOutput: (line) => onLine?.(line),
  }
  const deadline = performance.now() + START_PATIENCE_MS
  while (true) {
    const started = await startUntilReady(command, (line) => READY.test(line))
    if (!('lastLines' in started)) return { ...started, stop: () => started.stop('SIGINT') }
    // Sessions of a killed server end slightly later; until then, its shared memory is still attached.
    const mayPass = started.lastLines.includes('still in use') && performance.now() < deadline
    if (!mayPass) {
      throw new ServiceError(`PostgreSQL did not start on port ${port}:\n${started.lastLines}`)
    }
    await pause(100)
  }
}
