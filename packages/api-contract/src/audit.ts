import { type Static, Type } from 'typebox'
import { ListFrame, ListQuery, Strict, Timestamp } from './common.ts'
import { LIST_ORDERS } from './lists.ts'

/** Two figures that should be equal, in base units or counts. */
export const AuditDifference = Type.Object({
  subject: Type.String(),
  expected: Type.String(),
  found: Type.String(),
})
export const AuditOutcome = Type.Object({
  name: Type.String(),
  /** The number of compared pairs of figures. */
  compared: Type.Integer(),
  /** Why nothing was compared; empty when it was. */
  skipped: Type.String(),
  differences: Type.Array(AuditDifference),
})
export type AuditOutcome = Static<typeof AuditOutcome>

/** One audit of the books. A full one reads every row, a quick one only the open part. */
export const AuditRun = Type.Object({
  id: Type.String(),
  is_full: Type.Boolean(),
  started_at: Timestamp,
  finished_at: Timestamp,
  compared: Type.Integer(),
  differences: Type.Integer(),
  outcomes: Type.Array(AuditOutcome),
})
export type AuditRun = Static<typeof AuditRun>

/** A full audit reads every row, which takes a long time. */
export const AskAuditBody = Strict({ is_full: Type.Boolean() })

export const AuditRunsQuery = ListQuery(
  { sortable: ['started_at'], ...LIST_ORDERS.audits },
  { is_full: Type.Optional(Type.Boolean()) },
)
export type AuditRunsQuery = Static<typeof AuditRunsQuery>
export const AuditRunsReply = Type.Object({ audit_runs: Type.Array(AuditRun), ...ListFrame })
export type AuditRunsReply = Static<typeof AuditRunsReply>
