/** The source of the current time: business time, which may differ from real time on devnet, or real time. */
export type Clock = { now(): Date }

export {
  addDays,
  BUSINESS_ZONE,
  BUSINESS_ZONE_NAME,
  type BusinessDay,
  businessDayOf,
  businessTimeOf,
  DAY_MS,
  daysBetween,
  isBusinessDay,
  parseBusinessDay,
  startOfBusinessDay,
  UTC_OFFSET_HOURS,
} from '@dct/rules/business-day'

/** How far the clocks of two machines may differ. */
export const CLOCK_TOLERANCE_MS = 60_000

/** The newest final block of a chain that runs is this old at most. */
export const BLOCK_TOLERANCE_MS = 10 * 60_000

/** An instant after this one lies in the future: a clock was wrong when it was written, so it says nothing. */
export function latestPossible(now: Date): Date {
  return new Date(now.getTime() + CLOCK_TOLERANCE_MS)
}

/** Milliseconds since an instant. Infinitely many since an impossible one or none: whatever waits for it is then due. */
export function msSince(at: Date | null | undefined, now: Date): number {
  if (at === null || at === undefined || at > latestPossible(now)) return Number.POSITIVE_INFINITY
  return now.getTime() - at.getTime()
}

/**
 * A pace kept in memory: true when it was last true at least `ms` ago, even after the clock was ahead for a while.
 */
export function createPaceOf(clock: Clock, ms: number): () => boolean {
  let last: Date | undefined
  return () => {
    const now = clock.now()
    if (msSince(last, now) < ms) return false
    last = now
    return true
  }
}

/** Sessions, challenges and rate limits always use this one. */
export const realClock: Clock = { now: () => new Date() }

/** Real time plus an offset: the clock of devnet, whose offset is stored in the database. */
export class OffsetClock implements Clock {
  #offsetMs: number
  readonly #real: Clock

  constructor(offsetMs: number, real: Clock = realClock) {
    this.#offsetMs = offsetMs
    this.#real = real
  }

  get offsetMs(): number {
    return this.#offsetMs
  }

  now(): Date {
    return new Date(this.#real.now().getTime() + this.#offsetMs)
  }

  /** Moves the clock; time never goes back. */
  setOffset(offsetMs: number): void {
    this.#offsetMs = Math.max(this.#offsetMs, offsetMs)
  }
}
