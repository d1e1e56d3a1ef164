import { defineTexts, defineWording } from '../i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const UI_WORDING = defineWording('uiWording', {
  startDate: 'Start Date',
  endDate: 'End Date',
  previousPage: 'Prev',
  nextPage: 'Next',
  search: 'Search',
})

export const uiTexts = defineTexts('ui', {
  pageOf: 'Page {page} of {last}',
  total: '{count, plural, one {# entry} other {# entries}}',
  totalCapped: 'More than {count, number} entries',
  glossary: 'What the words mean',
  jump: 'Go',
  jumpTo: 'Go to page (1 to {last})',
  jumpPlaceholder: 'Page',
  beingSent: 'Being sent',
  cancel: 'Cancel',
  close: 'Close',
  copied: 'Copied',
  copyFailed: 'Your browser did not allow copying. Select the text and copy it manually.',
  dismiss: 'Dismiss',
  export: 'Save as CSV',
  exporting: 'Saving…',
  exportFailed: 'The file could not be created. Please try again.',
  listFailed: 'This list could not be loaded.',
  loading: 'Loading…',
  partMissing: 'This part of the page could not be loaded. Please reload the page.',
  partOffline: 'You are offline. This part of the page could not be loaded.',
  reasonMissing: 'Please give a reason.',
  reload: 'Reload',
  opensExplorer: '(opens the explorer)',
  resetFilters: 'Reset filters',
  serviceStatus: 'Status of the service',
  retry: 'Try again',
  stale: 'This could not be refreshed. What you see is from {time}.',
  sortBy: 'Sort by',
  sortedAscending: '{column}, ascending',
  sortedDescending: '{column}, descending',
  notifications: 'Notifications',
})
