import { defineTexts } from './texts.ts'

export const refusalTexts = defineTexts('refusals', {
  askSupport: '{sentence} Please contact support: {email}',
})
