import type { CheckOutcome } from './audit-check.ts'

/** The exit code of an audit command: 1 if anything differs, 3 if something could not be compared, else 0. */
export function exitCodeOf({
  differences,
  outcomes,
}: {
  differences: number
  outcomes: readonly CheckOutcome[]
}): number {
  if (differences > 0) return 1
  return outcomes.some(({ skipped }) => skipped !== undefined) ? 3 : 0
}
