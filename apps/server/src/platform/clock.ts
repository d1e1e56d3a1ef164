/** What the code asks for the time. Business time may run apart from real time (devnet); real time never does. */
export type Clock = { now(): Date }

export {
  addDays,
  type BusinessDay,
  businessDayOf,
  DAY_MS,
  daysBetween,
  firstOfNextMonth,
  parseBusinessDay,
  startOfBusinessDay,
} from '@dct/rules/business-day'

/** Sessions, challenges and rate limits use this one, always. */
export const realClock: Clock = { now: () => new Date() }

/** Real time moved by an offset: the clock of devnet, whose offset is kept in the database. */
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

/** A clock that stands still until it is moved: for tests. */
export class ManualClock implements Clock {
  #now: Date

  constructor(start: Date | string) {
    this.#now = new Date(start)
  }

  now(): Date {
    return new Date(this.#now)
  }

  set(instant: Date | string): void {
    this.#now = new Date(instant)
  }

  advanceMs(ms: number): void {
    this.#now = new Date(this.#now.getTime() + ms)
  }
}
