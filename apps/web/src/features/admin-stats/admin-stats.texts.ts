import { defineTexts, defineWording } from '../../shared/i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const STATS_WORDING = defineWording('adminStatsWording', {
  statistics: 'Statistics',
  users: 'Total Users',
  plans: 'Total Plans',
  transactions: 'Total Transactions',
  earnings: 'Total Earnings (DCT)',
  claims: 'Total Claims (DCT)',
})

export const statsTexts = defineTexts('adminStats', {
  totals: 'Totals',
  summary:
    '{users, plural, one {# user} other {# users}}, {plans, plural, one {# earning plan} other {# earning plans}} and {transactions, plural, one {# transaction} other {# transactions}} so far; {earnings} DCT were credited as rewards and {claims} DCT were claimed.',
  summaryUnknown: 'The totals are not known at the moment.',
})
