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
  firstOfNextMonth,
  isBusinessDay,
  parseBusinessDay,
  startOfBusinessDay,
  UTC_OFFSET_HOURS,
} from '@dct/rules/business-day'

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
