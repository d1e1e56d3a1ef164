import { defineTexts } from '../../shared/i18n/texts.ts'

export const supportTexts = defineTexts('supportCase', {
  title: 'Case',
  lead: 'Shared with you through a link that expires. It is read-only.',
  failed: 'The case could not be loaded.',
})
