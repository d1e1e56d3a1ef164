import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ExitOutcome, type GuardedProcess, startGuarded } from '@dct/local-services'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FILES = {
  /** API, watchers and senders in one process, as on devnet. */
  all: 'apps/server/src/main/all.ts',
  /** Only jobs and senders. */
  worker: 'apps/server/src/main/worker.ts',
} as const
const READY_WITHIN_MS = 90_000
const KEPT_LINES = 60

/** A server process that can be killed at any moment and restarted. */
export type MortalServer = {
  /** Starts a server if none is running; `crashAt` names the step at which it kills itself. */
  start(options?: { crashAt?: string; process?: keyof typeof FILES }): void
  /** Kills it with SIGKILL and resolves when it is gone. */
  kill(): Promise<void>
  /** Stops it gracefully. */
  stop(): Promise<void>
  /** Resolves when the process has exited for any reason. */
  ended(): Promise<ExitOutcome>
  /** Resolves when the server reports that it is healthy. @throws Error if it exits first or takes too long */
  untilHealthy(): Promise<void>
  /** The duration of each recovery, from a kill to the first successful response, in milliseconds. */
  recoveries(): readonly number[]
  output(): string
}

export function createMortalServer(options: { url: string; env: NodeJS.ProcessEnv }): MortalServer {
  const { url, env } = options
  const lines: string[] = []
  const recoveries: number[] = []
  let running: GuardedProcess | undefined
  let killedAt: number | undefined
  const current = () => {
    if (running === undefined) throw new Error('the server was not started')
    return running
  }
  return {
    start({ crashAt, process: kind = 'all' } = {}) {
      running = startGuarded({
        command: process.execPath,
        args: [FILES[kind]],
        cwd: ROOT,
        env: { ...env, ...(crashAt === undefined ? {} : { CRASH_AT: crashAt }) },
        onOutput(line) {
          lines.push(line)
          lines.splice(0, lines.length - KEPT_LINES)
        },
      })
    },
    async kill() {
      const server = current()
      // If it is killed several times in a row, the recovery counts from the first kill.
      killedAt ??= performance.now()
      await server.stop('SIGKILL')
    },
    stop: () => current().stop(),
    ended: () => current().exited,
    async untilHealthy() {
      await untilHealthy(url, current()).catch((cause: unknown) => {
        throw new Error(`The server did not start:\n${lines.join('\n')}`, { cause })
      })
      if (killedAt !== undefined) recoveries.push(performance.now() - killedAt)
      killedAt = undefined
    },
    recoveries: () => recoveries,
    output: () => lines.join('\n'),
  }
}

async function untilHealthy(url: string, server: GuardedProcess): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  let outcome: ExitOutcome | undefined
  void server.exited.then((found) => {
    outcome = found
  })
  while (performance.now() < deadline && outcome === undefined) {
    if (await isHealthy(url)) return
    await pause(20)
  }
  throw new Error(
    outcome === undefined
      ? 'the server was not ready in time'
      : `the server exited unexpectedly (code ${outcome.code}, signal ${outcome.signal})`,
  )
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2_000) })
    await reply.arrayBuffer()
    return reply.status === 200
  } catch {
    // Nothing is listening yet.
    return false
  }
}
