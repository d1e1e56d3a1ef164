import { defineTexts } from '../../shared/i18n/texts.ts'

export const operationsTexts = defineTexts('adminOperations', {
  money: 'Money',
  payments: 'Payments',
  payouts: 'Payouts',
  health: 'Health',
  log: 'Admin log',
  price: 'Price',
})
