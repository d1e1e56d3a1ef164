import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { inspectProcess, startGuarded } from '@dct/local-services'
import { readPid } from './data-folder.ts'
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
  const pid = readPid(pidFile)
  const isRunning = () => {
    const found = inspectProcess(pid)
    return found.state === 'alive' && found.args.includes(SERVER_FILE)
  }
  const deadline = performance.now() + PATIENCE_MS
  if (isRunning()) process.kill(pid, 'SIGTERM')
  while (isRunning()) {
    if (performance.now() > deadline) process.kill(pid, 'SIGKILL')
    await pause(50)
  }
  rmSync(pidFile, { force: true })
}

/** Resolves when the server reports that it is healthy. @throws when `signal` aborts */
export async function untilHealthy(address: string, signal: AbortSignal): Promise<void> {
  while (!(await isHealthy(address))) await pause(100, undefined, { signal })
}

async function isHealthy(address: string): Promise<boolean> {
  try {
    const response = await fetch(`${address}/api/health`, { signal: AbortSignal.timeout(2_000) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    // Nothing is listening yet.
    return false
  }
}
