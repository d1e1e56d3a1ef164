import { defineTexts } from '../../shared/i18n/texts.ts'

export const supportTexts = defineTexts('supportCase', {
  title: 'Case',
  lead: 'Shown to you by a link that ends by itself. It can be read and not changed.',
  failed: 'The case could not be loaded.',
})
