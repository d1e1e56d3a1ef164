import { defineTexts } from '../i18n/texts.ts'

export const decimalTexts = defineTexts('decimal', {
  unclear:
    '“{typed}” can be read in two ways. Write the number without a thousands separator, such as 1000 or 1.5.',
  otherUnit: '“{typed}” has another unit. Enter the number in {unit}.',
})
