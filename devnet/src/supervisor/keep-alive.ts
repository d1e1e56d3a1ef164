export type Service = {
  /** Resolves when the service is gone, with the last that it printed where nobody saw it. */
  exited: Promise<{ lastLines?: string }>
  stop(): Promise<void>
}

export type Death = {
  /** How often in a row it died soon after its start; 0 when it had been running for a while. */
  quickDeaths: number
  nextStartInMs: number
  lastLines: string | undefined
}

export type KeptAlive = {
  /** Ends the service for good; safe to call at any moment, also between two starts. */
  stop(): Promise<void>
}

const SOON_MS = 3_000
const LONGEST_DELAY_MS = 10_000

/** At once after a life of some length; 0, 250, 500, 1000 … ms when it dies again and again. */
export function restartDelayMs(quickDeaths: number): number {
  return quickDeaths <= 1 ? 0 : Math.min(125 * 2 ** (quickDeaths - 1), LONGEST_DELAY_MS)
}

/**
 * Starts a service, and starts it again whenever it dies without having been told to.
 * @throws what the first `start` throws; later failures to start count as quick deaths
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
      await pauseUnless(stopping.signal, nextStartInMs)
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

function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
