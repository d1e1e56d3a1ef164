import { type GuardedProcess, startGuarded } from '@dct/local-services'
import { type Program, SOURCES } from '../support/program.ts'

/** What a process logs once it works. */
const WORKING = { api: 'listening', watcher: 'watching', worker: 'working' } as const
const KEPT_LINES = 40
/** Longer than a process itself takes at most (12 s), so that it says how it ended. */
const STOP_PATIENCE_MS = 30_000

/** The level from which on a line of the log is an error. */
const ERROR_LEVEL = 50

type Kind = keyof typeof WORKING

/** One process of a live installation. */
export type LiveProcess = {
  /** Whether a proxy in front would send anybody to it. */
  isWorking(): boolean
  /** Resolves once it works. @throws Error with its last lines if it ends instead */
  start(program?: Program): Promise<void>
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** @throws Error with its last lines unless it ends properly */
  stop(): Promise<void>
  /** The errors in its log so far. */
  errors(): readonly string[]
}

/** @param beforeStop what an operator waits for between taking the process out of service and stopping it */
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
      if (code !== 0) throw new Error(`The ${kind} ended with ${code}:\n${lines.join('\n')}`)
    },
  }
}

/** What does not come from the log, such as the last words of a process that fails, is an error. */
function levelOf(line: string): number {
  return Number(/^\{"level":(\d+),/.exec(line)?.[1] ?? ERROR_LEVEL)
}
