import { defineTexts } from '../../shared/i18n/texts.ts'

export const hintTexts = defineTexts('messagesHint', {
  remind: 'Remind me before a deadline',
})
