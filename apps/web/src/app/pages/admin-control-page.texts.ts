import { defineTexts } from '../../shared/i18n/texts.ts'

export const controlTexts = defineTexts('adminControl', {
  title: 'Control',
  approvals: 'Second approvals',
  cases: 'Cases',
  close: 'Daily close',
})
