import { fileURLToPath } from 'node:url'
import { type GuardedProcess, startGuarded } from '@dct/local-services'
import { untilHealthy } from '../support/stack.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FILES = {
  /** API, watchers and senders in one process, as on devnet. */
  all: 'apps/server/src/main/all.ts',
  /** Only calls: nothing is signed. */
  api: 'apps/server/src/main/api.ts',
  /** Only jobs and senders. */
  worker: 'apps/server/src/main/worker.ts',
} as const
const KEPT_LINES = 60
/** Short, because it limits how precisely recoveries are measured. */
const HEALTH_EVERY_MS = 20

/** A server process that can be killed at any moment and restarted. */
export type MortalServer = {
  /** Starts a server if none is running; `crashAt` names the step at which it kills itself. */
  start(options?: { crashAt?: string; process?: keyof typeof FILES }): void
  /** Kills it with SIGKILL and resolves when it is gone. */
  kill(): Promise<void>
  /** Stops it gracefully. */
  stop(): Promise<void>
  /** Resolves when the server has killed itself at the step where it was to crash. @throws Error if it exits otherwise */
  crashed(): Promise<void>
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
  let step: string | undefined
  const current = () => {
    if (running === undefined) throw new Error('the server was not started')
    return running
  }
  return {
    start({ crashAt, process: kind = 'all' } = {}) {
      step = crashAt
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
    async crashed() {
      const { code, signal } = await current().exited
      if (signal === 'SIGKILL') return
      const how = `exited with code ${code} and signal ${signal}`
      throw new Error(`Instead of crashing at ${step}, the server ${how}:\n${lines.join('\n')}`)
    },
    async untilHealthy() {
      await untilHealthy(url, current(), HEALTH_EVERY_MS).catch((cause: unknown) => {
        throw new Error(`The server did not start:\n${lines.join('\n')}`, { cause })
      })
      if (killedAt !== undefined) recoveries.push(performance.now() - killedAt)
      killedAt = undefined
    },
    recoveries: () => recoveries,
    output: () => lines.join('\n'),
  }
}
