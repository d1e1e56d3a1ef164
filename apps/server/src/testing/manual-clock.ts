import type { Clock } from '../platform/clock.ts'

/** A clock that moves only when set or advanced. */
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
