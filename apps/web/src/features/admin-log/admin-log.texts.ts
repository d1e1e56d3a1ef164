import { defineTexts } from '../../shared/i18n/texts.ts'

export const logTexts = defineTexts('adminLog', {
  title: 'What admins did',
  lead: 'The log can only grow: nothing in it can be changed or removed.',
  empty: 'No entry found.',
  listFailed: 'The log could not be loaded.',
  search: 'Search by what it was done to',
  admin: 'Tron address of the admin',
  action: 'Action',
  allActions: 'All',
  at: 'When',
  who: 'Who',
  what: 'What',
  subject: 'To what',
  change: 'Old and new',
  before: 'Old',
  after: 'New',
  from: 'From',
  unknownPlace: 'Not known',
  nothing: 'No values',
})
