/** Points between the steps of a sender, where a crash must do no harm. */
export const CRASH_STEPS = [
  'before-sign',
  'after-sign-before-save',
  'after-save',
  'after-broadcast',
  'after-mined',
] as const
/** Points that only other calls than payments reach, such as the return of capital: a payment is booked by its event. */
const STEPS_OF_CALLS = ['before-final-booking', 'after-final-booking'] as const
/** A point that is reached only rarely: after a replacement was sent. */
export const RARE_CRASH_STEPS = ['after-replacement'] as const
const ALL_STEPS = [...CRASH_STEPS, ...STEPS_OF_CALLS, ...RARE_CRASH_STEPS]
export type CrashStep = (typeof ALL_STEPS)[number]
export type CrashPoint = (step: CrashStep) => void

/** Used by every process outside crash tests. */
export const noCrash: CrashPoint = () => undefined

/**
 * Kills the current process with SIGKILL when it reaches the named step. For crash tests.
 * @throws RangeError if the step is unknown
 */
export function crashAt(step: string): CrashPoint {
  const steps: readonly string[] = ALL_STEPS
  if (!steps.includes(step)) {
    throw new RangeError(`Unknown step '${step}'; the steps are ${steps.join(', ')}`)
  }
  return (reached) => {
    if (reached === step) process.kill(process.pid, 'SIGKILL')
  }
}
