import { defineTexts } from '../shared/i18n/texts.ts'

export const adminNavTexts = defineTexts('adminNav', {
  more: 'More for admins',
  operations: 'Operations',
  control: 'Control',
  money: 'Money',
  payments: 'Payments',
  payouts: 'Payouts',
  health: 'Health',
  log: 'Admin log',
  price: 'Price',
})
