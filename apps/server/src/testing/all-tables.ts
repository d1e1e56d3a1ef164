import type { AdminTables } from '../modules/admin/admin.tables.ts'
import type { AuditTables } from '../modules/audit/audit.tables.ts'
import type { AuthTables, AuthViews } from '../modules/auth/auth.tables.ts'
import type { ChainTables } from '../modules/chain/chain.tables.ts'
import type { ClaimsTables } from '../modules/claims/claims.tables.ts'
import type { EarningsTables, EarningsViews } from '../modules/earnings/earnings.tables.ts'
import type { LedgerTables } from '../modules/ledger/ledger.tables.ts'
import type { MessagesTables, MessagesViews } from '../modules/messages/messages.tables.ts'
import type { PayoutsTables } from '../modules/payouts/payouts.tables.ts'
import type { PlansTables } from '../modules/plans/plans.tables.ts'
import type { PricingTables } from '../modules/pricing/pricing.tables.ts'
import type { ProposalsTables } from '../modules/proposals/proposals.tables.ts'
import type { ReferralsTables, ReferralsViews } from '../modules/referrals/referrals.tables.ts'
import type { ReportsTables } from '../modules/reports/reports.tables.ts'
import type { StepsTables } from '../modules/steps/steps.tables.ts'
import type { TermsTables } from '../modules/terms/terms.tables.ts'
import type { TreasuryTables } from '../modules/treasury/treasury.tables.ts'
import { tablesOf } from '../platform/database/db.ts'
import type { PlatformTables } from '../platform/database/platform.tables.ts'

/** Every table of the service. */
export type AllTables = PlatformTables &
  AdminTables &
  AuditTables &
  AuthTables &
  AuthViews &
  ChainTables &
  ClaimsTables &
  EarningsTables &
  EarningsViews &
  LedgerTables &
  MessagesTables &
  MessagesViews &
  PayoutsTables &
  PlansTables &
  PricingTables &
  ProposalsTables &
  ReferralsTables &
  ReferralsViews &
  ReportsTables &
  StepsTables &
  TermsTables &
  TreasuryTables

/** Gives tests typed access to the tables of all modules. */
export const everything = tablesOf<AllTables>()
