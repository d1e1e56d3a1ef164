import { ADMIN_ERRORS } from './errors/admin.ts'
import { AUTH_ERRORS } from './errors/auth.ts'
import { CLAIMS_ERRORS } from './errors/claims.ts'
import { COMMON_ERRORS } from './errors/common.ts'
import { EARNINGS_ERRORS } from './errors/earnings.ts'
import { MESSAGES_ERRORS } from './errors/messages.ts'
import { PAYOUTS_ERRORS } from './errors/payouts.ts'
import { PLANS_ERRORS } from './errors/plans.ts'
import { PRICING_ERRORS } from './errors/pricing.ts'
import { PROPOSALS_ERRORS } from './errors/proposals.ts'
import { REFERRALS_ERRORS } from './errors/referrals.ts'
import { REPORTS_ERRORS } from './errors/reports.ts'
import { TERMS_ERRORS } from './errors/terms.ts'

/** Codes are stable: the web app and support depend on them. Add, never rename. Messages are the product's wording. */
export const ERRORS = {
  ...COMMON_ERRORS,
  ...AUTH_ERRORS,
  ...PRICING_ERRORS,
  ...PROPOSALS_ERRORS,
  ...PLANS_ERRORS,
  ...PAYOUTS_ERRORS,
  ...REFERRALS_ERRORS,
  ...EARNINGS_ERRORS,
  ...CLAIMS_ERRORS,
  ...ADMIN_ERRORS,
  ...REPORTS_ERRORS,
  ...TERMS_ERRORS,
  ...MESSAGES_ERRORS,
}
export type ErrorCode = keyof typeof ERRORS
