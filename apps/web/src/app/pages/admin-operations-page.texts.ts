import { defineTexts } from '../../shared/i18n/texts.ts'

export const operationsTexts = defineTexts('adminOperations', {
  payments: 'Payments',
  payouts: 'Payouts',
  approvals: 'Second approvals',
  cases: 'Cases',
})
