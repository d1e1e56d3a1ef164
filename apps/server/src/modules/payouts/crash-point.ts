/** The gaps between two steps of a sender, where a crash must cost nothing. */
export const CRASH_STEPS = [
  'before-sign',
  'after-sign-before-save',
  'after-save',
  'after-broadcast',
  'after-mined',
  'before-final-booking',
  'after-final-booking',
] as const
export type CrashStep = (typeof CRASH_STEPS)[number]
export type CrashPoint = (step: CrashStep) => void

/** What every process uses unless it is being tested to death. */
export const noCrash: CrashPoint = () => undefined

/**
 * Kills this very process, as hard as a power cut, when it reaches the named step. For crash tests.
 * @throws RangeError when there is no such step
 */
export function crashAt(step: string): CrashPoint {
  if (!CRASH_STEPS.some((known) => known === step)) {
    throw new RangeError(`There is no step '${step}': ${CRASH_STEPS.join(', ')}`)
  }
  return (reached) => {
    if (reached === step) process.kill(process.pid, 'SIGKILL')
  }
}
