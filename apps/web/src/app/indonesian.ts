import { accountIndonesian } from '../features/account/account.texts.id.ts'
import { activityIndonesian } from '../features/activity/activity.texts.id.ts'
import { approvalsIndonesian } from '../features/admin-approvals/approvals.texts.id.ts'
import { adminCaseIndonesian } from '../features/admin-case/admin-case.texts.id.ts'
import { poolIndonesian } from '../features/admin-claim-pool/claim-pool.texts.id.ts'
import { closeIndonesian } from '../features/admin-daily-close/daily-close.texts.id.ts'
import { healthIndonesian } from '../features/admin-health/admin-health.texts.id.ts'
import { logIndonesian } from '../features/admin-log/admin-log.texts.id.ts'
import { moneyIndonesian } from '../features/admin-money/admin-money.texts.id.ts'
import { paymentsIndonesian } from '../features/admin-payments/admin-payments.texts.id.ts'
import { payoutsIndonesian } from '../features/admin-payouts/admin-payouts.texts.id.ts'
import { plansIndonesian } from '../features/admin-plans/admin-plans.texts.id.ts'
import { priceIndonesian } from '../features/admin-price/admin-price.texts.id.ts'
import { recordsIndonesian } from '../features/admin-records/admin-records.texts.id.ts'
import { statsIndonesian } from '../features/admin-stats/admin-stats.texts.id.ts'
import { stepUpIndonesian } from '../features/admin-step-up/step-up.texts.id.ts'
import { usersIndonesian } from '../features/admin-users/admin-users.texts.id.ts'
import { caseIndonesian } from '../features/case-facts/case-facts.texts.id.ts'
import { supportIndonesian } from '../features/case-facts/support-case.texts.id.ts'
import { feesIndonesian } from '../features/claim-fees/claim-fees.texts.id.ts'
import { claimsIndonesian } from '../features/claims/claims.texts.id.ts'
import { joinIndonesian } from '../features/join-plan/join-plan.texts.id.ts'
import { loginIndonesian } from '../features/login/login.texts.id.ts'
import { earningsIndonesian } from '../features/my-earnings/my-earnings.texts.id.ts'
import { nextStepIndonesian } from '../features/next-step/next-step.texts.id.ts'
import { overviewIndonesian } from '../features/overview/overview.texts.id.ts'
import { referralsIndonesian } from '../features/referrals/referrals.texts.id.ts'
import { registerIndonesian } from '../features/register/register.texts.id.ts'
import { transparencyIndonesian } from '../features/transparency/transparency.texts.id.ts'
import { chainIndonesian } from '../shared/chain/chain.texts.id.ts'
import { walletErrorIndonesian } from '../shared/chain/wallet-error.texts.id.ts'
import type { Catalogue } from '../shared/i18n/texts.ts'
import { txIndonesian } from '../shared/tx/tx.texts.id.ts'
import { uiIndonesian } from '../shared/ui/ui.texts.id.ts'
import { walletIndonesian } from '../shared/wallet/wallet.texts.id.ts'
import { adminNavIndonesian } from './admin-nav.texts.id.ts'
import { frameIndonesian } from './frame.texts.id.ts'
import { controlIndonesian } from './pages/admin-control-page.texts.id.ts'

/** The whole Indonesian catalogue by scope: one chunk, fetched when Indonesian is chosen. */
export const indonesian: Readonly<Record<string, Catalogue>> = {
  account: accountIndonesian,
  activity: activityIndonesian,
  adminHealth: healthIndonesian,
  adminLog: logIndonesian,
  adminMoney: moneyIndonesian,
  adminNav: adminNavIndonesian,
  adminPayments: paymentsIndonesian,
  adminPayouts: payoutsIndonesian,
  adminPrice: priceIndonesian,
  adminApprovals: approvalsIndonesian,
  adminCase: adminCaseIndonesian,
  adminControl: controlIndonesian,
  adminDailyClose: closeIndonesian,
  adminPlans: plansIndonesian,
  adminPool: poolIndonesian,
  adminRecords: recordsIndonesian,
  adminStats: statsIndonesian,
  adminStepUp: stepUpIndonesian,
  adminUsers: usersIndonesian,
  caseFacts: caseIndonesian,
  chain: chainIndonesian,
  claims: claimsIndonesian,
  earnings: earningsIndonesian,
  fees: feesIndonesian,
  frame: frameIndonesian,
  join: joinIndonesian,
  login: loginIndonesian,
  nextStep: nextStepIndonesian,
  overview: overviewIndonesian,
  referrals: referralsIndonesian,
  register: registerIndonesian,
  supportCase: supportIndonesian,
  transparency: transparencyIndonesian,
  tx: txIndonesian,
  ui: uiIndonesian,
  wallet: walletIndonesian,
  walletError: walletErrorIndonesian,
}
