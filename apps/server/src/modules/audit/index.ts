export type { AuditCheck, CheckOutcome, Difference } from './audit-check.ts'
export {
  type ContractState,
  type ContractsDeps,
  poolMustHold,
  readContracts,
} from './checks/contracts.ts'
export { readWallets } from './checks/wallets.ts'
export { exitCodeOf } from './exit-code.ts'
export { type LatestAudit, latestAudit } from './latest-audit.ts'
export { printReport } from './print-report.ts'
export { type AuditDeps, type AuditReport, runAudit } from './run-audit.ts'
export { correctOpenings } from './wallet-openings.ts'
