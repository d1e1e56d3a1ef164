import type { DbOrTx } from '../../platform/db.ts'
import type { PayoutScope } from '../payouts/index.ts'

/** Which payouts must wait while a difference stands: those that it speaks of, and no others. */
export type HoldScope = PayoutScope

/** Two figures that should be one. Both in base units or counts, as decimal texts. */
export type Difference = {
  subject: string
  expected: string
  found: string
  /** Left out where no payout depends on it. */
  holds?: HoldScope
}

export type CheckResult = {
  /** How many figures were held against another. */
  compared: number
  differences: Difference[]
  /** Why nothing was compared; left out when it was. */
  skipped?: string
}

/**
 * One question to the books. Checks read other parts' tables directly, on purpose: an answer that was made by the code
 * it judges would prove nothing. They write nothing.
 */
export type AuditCheck = {
  name: string
  /** Reads every row there is: for the nightly run only. */
  isFullOnly?: boolean
  run(db: DbOrTx, scope: { isFull: boolean }): Promise<CheckResult>
}

export type CheckOutcome = CheckResult & { name: string }

/** One row of a check that lists all its figures. */
export type Figures = { subject: string; expected: bigint; found: bigint }

/** Keeps the figures that differ. */
export function compareAll(
  rows: readonly Figures[],
  holdsOf: (row: Figures) => HoldScope | undefined = () => undefined,
): CheckResult {
  const differing = rows.filter((row) => row.expected !== row.found)
  return { compared: rows.length, differences: differing.map((row) => differenceOf(row, holdsOf)) }
}

/** For a check whose query answers the differing rows only, with how many there were in all. */
export function differingOnly(
  rows: readonly Figures[],
  compared: bigint,
  holdsOf: (row: Figures) => HoldScope | undefined = () => undefined,
): CheckResult {
  return {
    compared: Number(compared),
    differences: rows.map((row) => differenceOf(row, holdsOf)),
  }
}

function differenceOf(row: Figures, holdsOf: (row: Figures) => HoldScope | undefined): Difference {
  const holds = holdsOf(row)
  return {
    subject: row.subject,
    expected: `${row.expected}`,
    found: `${row.found}`,
    ...(holds === undefined ? {} : { holds }),
  }
}

/** A check lists at most so many differences; one is enough to alarm, and a hundred to see the pattern. */
export const MAX_LISTED = 100
