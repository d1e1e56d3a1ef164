import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertPortFree, type Postgres, startGuarded, startPostgres } from '@dct/local-services'
import { type ChainHost, startChainHost } from '../chains/index.ts'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import { type Death, keepAlive } from './keep-alive.ts'
import { serverEnvironment } from './server-environment.ts'
import { endLeftoverServer, startServerProcess, untilHealthy } from './server-process.ts'
import { type DevnetSettings, localAddress } from './settings.ts'

export type Devnet = {
  /** The URL of the web app. */
  address: string
  /** Resolves with the reason when a part that cannot be restarted has exited. */
  broken: Promise<string>
  /** Stops the server first, then the chains (after a checkpoint), then the database. Safe to call twice. */
  stop(): Promise<void>
}

type Say = (line: string) => void
type Stoppable = { stop(): Promise<void> }

const ROOT = join(import.meta.dirname, '../../..')
/** A server that exits this often before it is ever healthy has a permanent problem. */
const HOPELESS_DEATHS = 2

/** A reason not to start. The message is meant for the user at the terminal. */
export class DevnetError extends Error {
  override name = 'DevnetError'
}

/**
 * Starts everything and resolves when the server is healthy.
 * @param signal aborts the start; parts that are already running are stopped
 * @throws DevnetError, SettingsError, DataFolderError: expected failures, whose messages state the fix
 */
export async function startDevnet(
  settings: DevnetSettings,
  { say, signal }: { say: Say; signal: AbortSignal },
): Promise<Devnet> {
  const data = openDataFolder({ dir: settings.dataDir, reset: settings.reset })
  const running: Stoppable[] = []
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= stopAll(running, say).finally(data.release)
    return stopping
  }
  try {
    const chains = await startParts({ settings, data, running, say, signal })
    signal.throwIfAborted()
    const broken = chains.exited.then(
      ({ chain, lastLines }) => `The ${chain} chain has exited unexpectedly:\n${lastLines}`,
    )
    return { address: localAddress(settings), broken, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Stops the newest part first. If one fails to stop, the others are stopped anyway. */
async function stopAll(running: Stoppable[], say: Say): Promise<void> {
  for (let part = running.pop(); part !== undefined; part = running.pop()) {
    try {
      await part.stop()
    } catch (error) {
      say(`A part did not stop properly: ${error instanceof Error ? error.message : error}`)
    }
  }
}

type Parts = {
  settings: DevnetSettings
  data: DataFolder
  /** The parts started so far. */
  running: Stoppable[]
  say: Say
  signal: AbortSignal
}

async function startParts(parts: Parts): Promise<ChainHost> {
  const { settings, data, say, signal } = parts
  await endLeftoverServer(data.path('server.pid'))
  await assertServerPortFree(settings)
  say('Starting PostgreSQL, two development chains and the web app …')
  const [postgres, chains] = await settleAll([
    startDatabase(parts),
    startChains(parts),
    buildWebApp(say),
  ])
  signal.throwIfAborted()
  say('Starting the server …')
  await startServer(parts, { postgres, chains })
  return chains
}

/** Waits for all tasks even if one fails, so that everything that was started can be stopped. */
async function settleAll<T extends readonly unknown[]>(
  tasks: { [K in keyof T]: Promise<T[K]> },
): Promise<T> {
  await Promise.allSettled(tasks)
  return (await Promise.all(tasks)) as unknown as T
}

async function assertServerPortFree({ host, port }: DevnetSettings): Promise<void> {
  try {
    await assertPortFree(port, host)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const other = port === 65_535 ? port - 1 : port + 1
    throw new DevnetError(`${reason} Stop it, or choose another port: PORT=${other} npm start`, {
      cause,
    })
  }
}

/** Restarts a crashed database on the same port, so that the server can reconnect. */
async function startDatabase({ data, running, say }: Parts): Promise<Postgres> {
  const dir = data.path('postgres')
  let postgres = await startPostgres({ dir })
  const { port } = postgres
  let isFirst = true
  const kept = await keepAlive({
    start: async () => {
      if (!isFirst) postgres = await startPostgres({ dir, port })
      isFirst = false
      return postgres
    },
    onDeath: (death) =>
      say(`${describeDeath('PostgreSQL', death)} Its last lines:\n${death.lastLines}`),
  })
  running.unshift(kept)
  return postgres
}

async function startChains({ data, running }: Parts): Promise<ChainHost> {
  const chains = await startChainHost({ dir: data.path('chains') })
  running.push(chains)
  return chains
}

async function buildWebApp(say: Say): Promise<void> {
  const lines: string[] = []
  const build = startGuarded({
    command: process.execPath,
    args: ['tools/build-web.ts'],
    cwd: ROOT,
    onOutput: (line) => lines.push(line),
  })
  const { code } = await build.exited
  if (code !== 0) throw new DevnetError(`The web app could not be built:\n${lines.join('\n')}`)
  for (const line of lines) say(line)
}

async function startServer(
  { settings, data, running, say, signal }: Parts,
  backends: { postgres: Postgres; chains: ChainHost },
): Promise<void> {
  const pidFile = data.path('server.pid')
  const env = serverEnvironment({ settings, keyFolder: data.path('keys'), ...backends })
  // For commands that inspect this devnet from another terminal, such as the audit.
  writeFileSync(data.path('server-settings.json'), JSON.stringify(env), { mode: 0o600 })
  const health = new AbortController()
  let wasHealthy = false
  let hopeless: DevnetError | undefined
  const kept = await keepAlive({
    start: async () => startServerProcess({ root: ROOT, env, pidFile, say }),
    onDeath(death) {
      if (wasHealthy || death.quickDeaths < HOPELESS_DEATHS) {
        say(describeDeath('The server', death))
        return
      }
      hopeless = new DevnetError('The server does not start: see its output above.')
      health.abort()
    },
  })
  running.push(kept)
  try {
    await untilHealthy(localAddress(settings), AbortSignal.any([signal, health.signal]))
    wasHealthy = true
  } catch (error) {
    throw hopeless ?? error
  }
}

function describeDeath(name: string, { nextStartInMs }: Death): string {
  const when = nextStartInMs === 0 ? 'immediately' : `in ${nextStartInMs / 1000} s`
  return `${name} has exited and will be restarted ${when}.`
}
