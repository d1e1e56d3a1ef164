import { defineTexts } from '../../shared/i18n/texts.ts'

export const statsTexts = defineTexts('adminStats', {
  totals: 'Totals',
  summary:
    '{users} users, {plans} earning plans and {transactions} transactions so far; {earnings} DCT were credited as rewards and {claims} DCT were claimed.',
  summaryUnknown: 'The totals are not known at the moment.',
})
