import { defineTexts } from '../../shared/i18n/texts.ts'

export const controlTexts = defineTexts('adminControl', {
  money: 'Money',
  close: 'Daily close',
  price: 'Price',
  terms: 'Terms',
  health: 'Health',
  log: 'Admin log',
})
