import {
  addDays,
  type BusinessDay,
  businessDayOf,
  type OffsetClock,
  realClock,
  startOfBusinessDay,
} from '../../platform/clock.ts'
import { writeClockOffset } from '../../platform/database/clock-offset.ts'
import type { Db } from '../../platform/database/db.ts'
import type { ChainControl } from './chain-control.ts'

export type TimeTravel = {
  /** Resolves when nothing is pending on the chains or in watchers, jobs and senders. */
  settle(): Promise<void>
  /** After a start: moves the chains or the clock, whichever is behind after a crash, to the time of the other. */
  resume(): Promise<void>
  /** Moves day by day to 00:00 (UTC+7) of the day `days` later and runs everything that falls due, in order. */
  advance(days: number): Promise<BusinessDay>
}

export type TimeTravelDeps = {
  db: Db
  clock: OffsetClock
  control: ChainControl
  /** Steps every loop until all are idle. */
  drain(): Promise<void>
  /** Whether something was sent to a chain and is not booked yet. */
  isAnythingInFlight(): Promise<boolean>
}

const MAX_SETTLE_ROUNDS = 30

/** Moves business time and both chains together, one call at a time; other calls queue. */
export function createTimeTravel({
  db,
  clock,
  control,
  drain,
  isAnythingInFlight,
}: TimeTravelDeps): TimeTravel {
  let tail: Promise<unknown> = Promise.resolve()
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const next = tail.then(work)
    // The caller sees the failure.
    tail = next.catch(() => undefined)
    return next
  }
  /** Whatever one round sends must be final before the next can book it. Gives up after `MAX_SETTLE_ROUNDS`. */
  const drainToRest = async () => {
    await drain()
    for (let round = 0; round < MAX_SETTLE_ROUNDS && (await isAnythingInFlight()); round += 1) {
      await control.finalize()
      await drain()
    }
  }
  const settle = async () => {
    await control.finalize()
    await drainToRest()
  }
  /** The chains have already moved: after a crash in between, `resume` brings the clock to their time. */
  const moveClock = async (wantedMs: number) => {
    const offsetMs = Math.max(clock.offsetMs, Math.ceil(wantedMs))
    await writeClockOffset(db, offsetMs)
    clock.setOffset(offsetMs)
  }
  const moveToNextDay = async () => {
    const next = startOfBusinessDay(addDays(businessDayOf(clock.now()), 1))
    await control.advanceTo({ timestampMs: next.getTime() })
    await moveClock(next.getTime() - realClock.now().getTime())
    await drainToRest()
  }
  return {
    resume: () =>
      inOrder(async () => {
        const { offsetMs } = await control.info()
        if (offsetMs > clock.offsetMs) await moveClock(offsetMs)
        else await control.advanceTo({ timestampMs: clock.now().getTime() })
      }),
    settle: () => inOrder(settle),
    advance: (days) =>
      inOrder(async () => {
        await settle()
        for (let day = 0; day < days; day += 1) await moveToNextDay()
        return businessDayOf(clock.now())
      }),
  }
}
