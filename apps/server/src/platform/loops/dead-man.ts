import { askHttp, HttpFailure } from '@dct/chain-clients/http/ask-http'
import type { Loop } from './loop.ts'

const CHECK_EVERY_MS = 60_000
const LIMITS = { connectMs: 5_000, wholeMs: 10_000, mostBytes: 1_024 }

export type DeadManDeps = {
  name: string
  /** Fetched after progress. The service behind it alerts a person when the fetches stop. */
  url: string
  /** Numbers that grow as the monitored work makes progress; empty while it has no success to report. */
  readProgress(): Promise<readonly bigint[]>
}

/**
 * Fetches the address when every number has grown since it was last fetched, at most once a minute. Being alive is not
 * enough: a process that runs but achieves nothing must be noticed, so the first check only records the numbers.
 */
export function createDeadManLoop({ name, url, readProgress }: DeadManDeps): Loop {
  let last: readonly bigint[] | undefined
  return {
    name,
    isDrained: false,
    pauseMs: CHECK_EVERY_MS,
    async step() {
      const found = await readProgress()
      if (found.length === 0) return true
      if (last?.length === found.length) {
        if (!found.every((value, at) => value > (last?.[at] ?? value))) return true
        await ping(url)
      }
      last = found
      return true
    },
  }
}

async function ping(url: string): Promise<void> {
  let status: number
  try {
    // The service has noted the request once it answers.
    const reply = await askHttp({ method: 'GET', url, limits: LIMITS, isEnough: () => true })
    status = reply.status
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    // Without the host, too: anyone who knows the address can pretend that all is well.
    throw new Error(`The dead man's switch did not answer (${error.reason}).`)
  }
  if (status >= 300) throw new Error(`The dead man's switch answered ${status}.`)
}
