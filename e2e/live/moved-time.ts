/**
 * Loaded into a process before the program (`node --import`): moves its time by the milliseconds in a file, as if the
 * machine's clock were ahead; pauses that began before end as much earlier. Live processes have no other clock than the
 * machine's.
 */
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { KEPT_FOR_MS } from './kept-time.ts'

/** How late a pause may notice that time was moved. */
const NOTICED_WITHIN_MS = 100

const { MOVED_TIME_FILE: file = '' } = process.env
const RealDate = Date
const realElapsed = performance.now.bind(performance)
const realPause = timers.setTimeout
let movedMs = 0
let readAt = Number.NEGATIVE_INFINITY

globalThis.Date = class extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [RealDate.now() + moved()] : given) as [number]))
  }
  static override now() {
    return RealDate.now() + moved()
  }
} as DateConstructor
performance.now = () => realElapsed() + moved()
timers.setTimeout = async (ms = 0, value, options) => {
  const end = performance.now() + ms
  for (let left = ms; left > NOTICED_WITHIN_MS; left = end - performance.now()) {
    await realPause(NOTICED_WITHIN_MS, undefined, options)
  }
  return realPause(Math.max(0, end - performance.now()), value, options)
}
syncBuiltinESMExports()

function moved(): number {
  const now = realElapsed()
  if (now - readAt > KEPT_FOR_MS) {
    readAt = now
    movedMs = Number(readFileSync(file, 'utf8'))
  }
  return movedMs
}
