import { setTimeout as sleep } from 'node:timers/promises'
import { throttledWords } from './classify.ts'
import { NodeThrottled } from './failures.ts'

/** Real time, as a budget measures it. */
export type Stopwatch = { nowMs(): number; wait(ms: number): Promise<void> }

const realStopwatch: Stopwatch = {
  nowMs: () => performance.now(),
  wait: async (ms) => {
    await sleep(ms)
  },
}

/** How many requests one provider gets from this process: all readers and senders that ask it share one budget. */
export type RequestBudget = {
  /**
   * Waits until a request may be sent.
   * @throws NodeThrottled during a pause that the provider asked for, or if the wait would be too long
   */
  take(): Promise<void>
  /** Records that the provider asked us to slow down, for at least this long. @returns the pause in milliseconds */
  slowDown(askedMs: number): number
  /** Records an answered request. */
  answered(): void
  /** The requests per second that are allowed now. */
  perSecond(): number
}

const LEAST_PER_SECOND = 0.5
/** After being asked to slow down, the rate halves; each answered request gives back this part of the maximum. */
const GROWTH = 1 / 200
const MAX_PAUSE_MS = 30_000
const FIRST_PAUSE_MS = 1_000
/** A request that would wait longer fails: it is repeated later, and another node may answer it now. */
const PATIENCE_MS = 10_000

/**
 * A token bucket that holds the requests of one second. Being throttled halves its rate and closes it for as long as
 * the provider asked, or for growing pauses; answered requests raise the rate again by equal steps.
 */
export function createRequestBudget(options: {
  host: string
  perSecond: number
  time?: Stopwatch
}): RequestBudget {
  const { host, perSecond: maximum, time = realStopwatch } = options
  let rate = maximum
  let tokens = maximum
  let filledAt = time.nowMs()
  let closedUntil = Number.NEGATIVE_INFINITY
  let throttles = 0

  const fill = () => {
    const now = time.nowMs()
    tokens = Math.min(Math.max(1, rate), tokens + ((now - filledAt) / 1_000) * rate)
    filledAt = now
  }
  const requireOpen = () => {
    const leftMs = closedUntil - time.nowMs()
    if (leftMs > 0) throw new NodeThrottled(throttledWords(host), Math.ceil(leftMs))
  }
  return {
    async take() {
      requireOpen()
      fill()
      const waitMs = tokens >= 1 ? 0 : ((1 - tokens) / rate) * 1_000
      if (waitMs > PATIENCE_MS) {
        throw new NodeThrottled(`the request budget of ${host} is used up`, Math.ceil(waitMs))
      }
      // Taken before it is available, so that waiting requests queue up one after the other.
      tokens -= 1
      if (waitMs === 0) return
      await time.wait(waitMs)
      requireOpen()
    },
    slowDown(askedMs) {
      // Requests that were in flight at the same time count as one complaint.
      if (closedUntil <= time.nowMs()) {
        throttles += 1
        rate = Math.max(LEAST_PER_SECOND, rate / 2)
      }
      const growing = FIRST_PAUSE_MS * 2 ** Math.min(throttles - 1, 5)
      const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(askedMs, growing))
      closedUntil = Math.max(closedUntil, time.nowMs() + pauseMs)
      return pauseMs
    },
    answered() {
      throttles = 0
      rate = Math.min(maximum, rate + maximum * GROWTH)
    },
    perSecond: () => rate,
  }
}
