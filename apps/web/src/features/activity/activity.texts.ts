import { defineTexts } from '../../shared/i18n/texts.ts'

export const activityTexts = defineTexts('activity', {
  open: 'Activity',
  title: 'Activity in this browser',
  nothing: 'Nothing has happened here yet.',
  hint: 'What happened with your money, as it was shown here. The histories on the dashboard are complete.',
})
