import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { vi } from 'vitest'
import { realClock } from '../platform/clock.ts'

const STEP_MS = 500
const LOOK_EVERY = 4
/** Of real time in each step, in which sockets within this process do their work. */
const REAL_MS = 4
/** How fast time passes while something is prepared: as in reality, and more slowly on a busy machine. */
const PREPARING = { stepMs: 20, realMs: 20 }
const [sleepReally, nowReally] = [globalThis.setTimeout, performance.now.bind(performance)]

const nowMs = () => realClock.now().getTime()

export type SimulatedTime = {
  /** Lets time pass until something is so, or for this long. @returns whether it is so */
  until(isSo: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean>
  /** Lets time pass at once. What would have happened meanwhile happens afterwards. */
  jump(ms: number): void
  /** Lets time pass slowly while something is prepared that takes real time, in which blocks must not pass by. */
  during<T>(work: Promise<T>): Promise<T>
  stop(): void
}

/**
 * Makes all timers of this process run in simulated time, which passes as fast as the work that falls due is done.
 * @param isBusy whether something outside this process is at work, for which simulated time must wait
 */
export function simulateTime(isBusy: () => boolean): SimulatedTime {
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  })
  const { setTimeout: sleep } = timers
  timers.setTimeout = sleepFor
  syncBuiltinESMExports()
  const [start, startDate] = [nowReally(), nowMs()]
  // Goes on from where it was: fake timers would begin at 0.
  performance.now = () => start + nowMs() - startDate
  const pass = async ({ stepMs, realMs } = { stepMs: STEP_MS, realMs: REAL_MS }) => {
    await new Promise((resolve) => sleepReally(resolve, realMs))
    if (!isBusy()) await vi.advanceTimersByTimeAsync(stepMs)
  }
  return {
    async until(isSo, withinMs) {
      const end = performance.now() + withinMs
      for (let steps = 0; ; steps += 1) {
        if (steps % LOOK_EVERY === 0 && (await isSo())) return true
        if (performance.now() >= end) return isSo()
        await pass()
      }
    },
    async during(work) {
      let isOver = false
      const end = () => {
        isOver = true
      }
      work.then(end, end)
      while (!isOver) await pass(PREPARING)
      return work
    },
    jump: (ms) => void vi.setSystemTime(nowMs() + ms),
    stop() {
      timers.setTimeout = sleep
      performance.now = nowReally
      syncBuiltinESMExports()
      vi.useRealTimers()
    },
  }
}

/** As the function of `node:timers/promises`, which fake timers leave out. */
async function sleepFor<T>(
  ms?: number,
  value?: T,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<T> {
  signal?.throwIfAborted()
  const over = Promise.withResolvers<T>()
  const timer = setTimeout(() => over.resolve(value as T), ms)
  const abort = () => over.reject(signal?.reason)
  signal?.addEventListener('abort', abort)
  try {
    return await over.promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}
