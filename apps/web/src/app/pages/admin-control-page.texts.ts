import { defineTexts } from '../../shared/i18n/texts.ts'

export const controlTexts = defineTexts('adminControl', {
  approvals: 'Second approvals',
  cases: 'Cases',
  close: 'Daily close',
  terms: 'Terms',
})
