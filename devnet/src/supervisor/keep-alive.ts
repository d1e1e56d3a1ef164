import { setTimeout as pause } from 'node:timers/promises'

export type Service = {
  /** Resolves when the service has exited, with its last lines of output unless they were already printed. */
  exited: Promise<{ lastLines?: string }>
  stop(): Promise<void>
}

export type Death = {
  /** How many times in a row it exited soon after its start; 0 if it had been running for a while. */
  quickDeaths: number
  nextStartInMs: number
  lastLines: string | undefined
}

export type KeptAlive = {
  /** Stops the service permanently. Safe at any moment, even between two starts. */
  stop(): Promise<void>
}

const SOON_MS = 3_000
const LONGEST_DELAY_MS = 10_000

/** No delay after a longer run; 0, 250, 500, 1000 … ms after repeated quick exits. */
export function restartDelayMs(quickDeaths: number): number {
  return quickDeaths <= 1 ? 0 : Math.min(125 * 2 ** (quickDeaths - 1), LONGEST_DELAY_MS)
}

/**
 * Starts a service and restarts it whenever it exits without being stopped.
 * @throws the error of the first `start`; later failures to start count as quick exits
 */
export async function keepAlive(options: {
  start: () => Promise<Service>
  onDeath: (death: Death) => void
}): Promise<KeptAlive> {
  const { start, onDeath } = options
  const stopping = new AbortController()
  let current = await start()
  let startedAt = performance.now()
  let quickDeaths = 0

  const startAgain = async (): Promise<Service> => {
    try {
      return await start()
    } catch (error) {
      const lastLines = error instanceof Error ? error.message : String(error)
      return { exited: Promise.resolve({ lastLines }), stop: async () => {} }
    }
  }
  const watch = async () => {
    while (true) {
      const { lastLines } = await current.exited
      if (stopping.signal.aborted) return
      quickDeaths = performance.now() - startedAt < SOON_MS ? quickDeaths + 1 : 0
      const nextStartInMs = restartDelayMs(quickDeaths)
      onDeath({ quickDeaths, nextStartInMs, lastLines })
      // When the service is stopped, the pause ends early.
      await pause(nextStartInMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      startedAt = performance.now()
      current = await startAgain()
      if (stopping.signal.aborted) await current.stop()
    }
  }
  const watching = watch()
  return {
    async stop() {
      stopping.abort()
      await current.stop()
      await watching
    },
  }
}
