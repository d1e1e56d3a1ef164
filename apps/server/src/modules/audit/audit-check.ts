import type { AuditCheckName, AuditGap } from '@dct/api-contract/audit'
import type { DbOrTx } from '../../platform/database/db.ts'
import type { PayoutScope } from '../payouts/index.ts'

/** The payouts that must wait while a difference exists: only those that it concerns. */
export type HoldScope = PayoutScope

/** Two figures that should be equal. Both in base units or counts, as decimal text. */
export type Difference = {
  subject: string
  expected: string
  found: string
  /** Absent where no payout depends on it. */
  holds?: HoldScope
}

export type CheckResult = {
  /** The number of compared pairs of figures. */
  compared: number
  differences: Difference[]
  /** Why nothing was compared; absent when it was. */
  skipped?: AuditGap
}

/**
 * One check of the books. Checks read the rows of other modules through views that pass columns on unchanged, because an
 * answer computed by the code under audit would prove nothing. They write nothing.
 */
export type AuditCheck = {
  name: AuditCheckName
  /** Reads entire tables, so it runs in full audits only. */
  isFullOnly?: boolean
  run(db: DbOrTx, scope: { isFull: boolean }): Promise<CheckResult>
}

export type CheckOutcome = CheckResult & { name: AuditCheckName }

/** A pair of figures to compare, from a check that lists all of them. */
export type Figures = { subject: string; expected: bigint; found: bigint }

/** Figures whose subject does not name the plan that they belong to. */
export type PlanFigures = Figures & { plan: string }

/** Returns the figures that differ. */
export function compareAll(
  rows: readonly Figures[],
  holdsOf: (row: Figures) => HoldScope | undefined = () => undefined,
): CheckResult {
  const differing = rows.filter((row) => row.expected !== row.found)
  return { compared: rows.length, differences: differing.map((row) => differenceOf(row, holdsOf)) }
}

/** For a check whose query returns only the differing rows, with the number of all compared rows. */
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

/** Holds the payouts of the plan that a difference belongs to. */
export function holdPlan(rows: readonly PlanFigures[]): (row: Figures) => HoldScope {
  const plans = new Map(rows.map((row) => [row.subject, row.plan]))
  return ({ subject }) => ({ kind: 'plan', planCode: plans.get(subject) ?? '' })
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

/** The maximum number of listed differences per check; one is enough for an alarm, and a hundred to see the pattern. */
export const MAX_LISTED = 100
