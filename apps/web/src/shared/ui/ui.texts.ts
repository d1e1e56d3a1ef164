import { defineTexts } from '../i18n/texts.ts'

export const uiTexts = defineTexts('ui', {
  beingSent: 'Being sent',
  close: 'Close',
  copied: 'Copied',
  copyFailed: 'The browser did not allow copying. Select the text and copy it by hand.',
  dismiss: 'Dismiss',
  export: 'Save as CSV',
  exporting: 'Saving…',
  exportFailed: 'The file could not be made. Please try again.',
  listFailed: 'This list could not be loaded.',
  loading: 'Loading…',
  opensExplorer: '(opens the explorer)',
  resetFilters: 'Reset filters',
  retry: 'Try again',
  stale: 'This could not be refreshed. What you see is from {time}.',
  sortBy: 'Sort by',
  sortedAscending: '{column}, ascending',
  sortedDescending: '{column}, descending',
  notifications: 'Notifications',
})
