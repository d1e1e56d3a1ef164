import { defineTexts } from '../../shared/i18n/texts.ts'

export const activityTexts = defineTexts('activity', {
  open: 'Activity',
  title: 'Activity in this browser',
  nothing: 'No activity yet.',
  hint: 'Events concerning your money that were shown in this browser. The complete histories are on the dashboard.',
})
