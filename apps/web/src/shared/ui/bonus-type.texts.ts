import { defineTexts } from '../i18n/texts.ts'

/** In English they are the values that the specification fixes. */
export const bonusTypeTexts = defineTexts('bonusTypes', {
  direct: 'direct bonus',
  nonDirect: 'non-direct',
})
