import { defineTexts } from '../../shared/i18n/texts.ts'

export const logTexts = defineTexts('adminLog', {
  title: 'Admin actions',
  lead: 'Entries can only be added, never changed or removed.',
  empty: 'No entry found.',
  listFailed: 'The log could not be loaded.',
  search: 'Subject or admin',
  action: 'Action',
  allActions: 'All',
  at: 'When',
  who: 'Who',
  what: 'What',
  subject: 'Subject',
  change: 'Change',
  before: 'Old',
  after: 'New',
  from: 'From',
  unknownPlace: 'Not known',
  nothing: 'No values',
  yes: 'yes',
  no: 'no',
})
