import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { endLeftover, startGuarded } from '@dct/local-services'
import type { Service } from './keep-alive.ts'
import { readableLine } from './readable-line.ts'

export type ServerOptions = {
  root: string
  env: NodeJS.ProcessEnv
  /** Stores the process id, so that the next start can stop this server if the supervisor is killed. */
  pidFile: string
  say: (line: string) => void
}

const SERVER_FILE = 'apps/server/src/main/all.ts'
const PATIENCE_MS = 15_000

export function startServerProcess({ root, env, pidFile, say }: ServerOptions): Service {
  const server = startGuarded({
    command: process.execPath,
    args: [SERVER_FILE],
    cwd: root,
    env,
    onOutput(line) {
      const text = readableLine(line)
      if (text !== undefined) say(text)
    },
  })
  if (server.pid !== undefined) writeFileSync(pidFile, `${server.pid}\n`)
  const exited = server.exited.then(() => {
    rmSync(pidFile, { force: true })
    return {}
  })
  return { exited, stop: () => server.stop('SIGTERM', PATIENCE_MS) }
}

/** Stops a server whose supervisor was killed: it may still be running for a moment and hold the port. */
export async function endLeftoverServer(pidFile: string): Promise<void> {
  if (!existsSync(pidFile)) return
  const server = { pid: Number.parseInt(readFileSync(pidFile, 'utf8'), 10), args: SERVER_FILE }
  const hasEnded = await endLeftover(server, { signal: 'SIGTERM', patienceMs: PATIENCE_MS })
  if (!hasEnded) await endLeftover(server, { signal: 'SIGKILL', patienceMs: PATIENCE_MS })
  rmSync(pidFile, { force: true })
}

/** Resolves when the server reports that it is healthy. @throws when `signal` aborts */
export async function untilHealthy(address: string, signal: AbortSignal): Promise<void> {
  while (!(await isHealthy(address))) await pause(100, undefined, { signal })
}

/** Whether a server answers that it is healthy. */
export async function isHealthy(address: string): Promise<boolean> {
  try {
    const response = await fetch(`${address}/api/health`, { signal: AbortSignal.timeout(2_000) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    // Nothing is listening yet.
    return false
  }
}
