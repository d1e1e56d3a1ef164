/**
 * Loaded into a process before the program (`node --import`): moves its time forward by the number of milliseconds in a
 * file, as if the machine's clock were ahead; pauses already in progress end that much earlier. Needed because live
 * processes have no clock other than the machine's.
 */
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { KEPT_FOR_MS } from './kept-time.ts'

/** How long it can take a pause to notice that time was moved. */
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
