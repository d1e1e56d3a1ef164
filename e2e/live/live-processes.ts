import { type GuardedProcess, startGuarded } from '@dct/local-services'
import { type Program, SOURCES } from '../support/program.ts'

/** The message that each process logs once it is working. */
const WORKING = { api: 'listening', watcher: 'watching', worker: 'working' } as const
const KEPT_LINES = 40
/** Longer than a process takes at most to stop (12 s), so that it can still report how it exited. */
const STOP_PATIENCE_MS = 30_000

/** The lowest level at which a log line is an error. */
const ERROR_LEVEL = 50

type Kind = keyof typeof WORKING

/** One process of a live installation. */
export type LiveProcess = {
  /** Whether a proxy would send requests to it. */
  isWorking(): boolean
  /** Resolves once it is working. @throws Error with its last log lines if it exits instead */
  start(program?: Program): Promise<void>
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** Stops it gracefully. @throws Error with its last log lines unless it exits with code 0 */
  stop(): Promise<void>
  /** The errors in its log so far. */
  errors(): readonly string[]
}

/** @param beforeStop waits, as an operator would, between taking the process out of service and stopping it */
export function createLiveProcess(
  kind: Kind,
  env: NodeJS.ProcessEnv,
  beforeStop: () => Promise<void> = async () => undefined,
): LiveProcess {
  const lines: string[] = []
  const errors: string[] = []
  let running: GuardedProcess | undefined
  let isWorking = false
  return {
    isWorking: () => isWorking,
    errors: () => errors,
    async start({ folder, fileOf } = SOURCES) {
      const works = Promise.withResolvers<'works'>()
      running = startGuarded({
        command: process.execPath,
        args: [fileOf(kind)],
        cwd: folder,
        env,
        onOutput(line) {
          if (levelOf(line) >= ERROR_LEVEL) errors.push(line)
          lines.push(line)
          lines.splice(0, lines.length - KEPT_LINES)
          if (line.includes(`"msg":"${WORKING[kind]}"`)) works.resolve('works')
        },
      })
      const outcome = await Promise.race([works.promise, running.exited])
      if (outcome !== 'works') throw new Error(`The ${kind} did not start:\n${lines.join('\n')}`)
      isWorking = true
    },
    async kill() {
      const killed = running
      running = undefined
      isWorking = false
      await killed?.stop('SIGKILL')
    },
    async stop() {
      const stopped = running
      running = undefined
      isWorking = false
      await beforeStop()
      await stopped?.stop('SIGTERM', STOP_PATIENCE_MS)
      const { code = 0 } = (await stopped?.exited) ?? {}
      if (code !== 0) throw new Error(`The ${kind} exited with code ${code}:\n${lines.join('\n')}`)
    },
  }
}

/**
 * Returns a log line's level. Output that is not a log line, such as the final message of a failing process, is an
 * error.
 */
function levelOf(line: string): number {
  return Number(/^\{"level":(\d+),/.exec(line)?.[1] ?? ERROR_LEVEL)
}
