import { defineTexts } from '../../shared/i18n/texts.ts'

/** The hint on the dashboard. */
export const hintTexts = defineTexts('notificationHint', {
  sentence:
    'A deadline that passes unnoticed costs rewards. We can tell you in time, by e-mail, on this device or by Telegram.',
  choose: 'Choose how',
  notNow: 'Not now',
})
