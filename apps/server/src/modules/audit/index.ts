export type { AuditCheck, CheckOutcome, Difference } from './audit-check.ts'
export { printReport } from './print-report.ts'
export { type AuditDeps, type AuditReport, runAudit } from './run-audit.ts'
