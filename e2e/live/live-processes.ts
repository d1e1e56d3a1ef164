import { fileURLToPath } from 'node:url'
import { type GuardedProcess, startGuarded } from '@dct/local-services'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** What a process logs once it works. */
const WORKING = { api: 'listening', watcher: 'watching', worker: 'working' } as const
const KEPT_LINES = 40

type Kind = keyof typeof WORKING

/** One process of a live installation. */
export type LiveProcess = {
  isRunning(): boolean
  /** Resolves once it works. @throws Error with its last lines if it ends instead */
  start(): Promise<void>
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** @throws Error with its last lines unless it ends properly */
  stop(): Promise<void>
}

export function createLiveProcess(kind: Kind, env: NodeJS.ProcessEnv): LiveProcess {
  const lines: string[] = []
  let running: GuardedProcess | undefined
  return {
    isRunning: () => running !== undefined,
    async start() {
      const works = Promise.withResolvers<'works'>()
      running = startGuarded({
        command: process.execPath,
        args: [`apps/server/src/main/${kind}.ts`],
        cwd: ROOT,
        env,
        onOutput(line) {
          lines.push(line)
          lines.splice(0, lines.length - KEPT_LINES)
          if (line.includes(`"msg":"${WORKING[kind]}"`)) works.resolve('works')
        },
      })
      const outcome = await Promise.race([works.promise, running.exited])
      if (outcome !== 'works') throw new Error(`The ${kind} did not start:\n${lines.join('\n')}`)
    },
    async kill() {
      const killed = running
      running = undefined
      await killed?.stop('SIGKILL')
    },
    async stop() {
      const stopped = running
      running = undefined
      await stopped?.stop()
      const { code = 0 } = (await stopped?.exited) ?? {}
      if (code !== 0) throw new Error(`The ${kind} ended with ${code}:\n${lines.join('\n')}`)
    },
  }
}
