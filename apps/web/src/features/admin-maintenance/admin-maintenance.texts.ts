import { defineTexts } from '../../shared/i18n/texts.ts'

export const maintenanceTexts = defineTexts('adminMaintenance', {
  title: 'Notes on the status page',
  hint: 'Everybody sees them, in their language, until they are over.',
  loadFailed: 'The notes could not be loaded.',
  none: 'Nothing is announced.',
  textid: 'Text in Indonesian',
  texten: 'Text in English',
  starts: 'Begins ({zone})',
  ends: 'Ends ({zone})',
  announce: 'Announce',
  end: 'End this note',
  failed: 'This did not work. Please try again.',
  incomplete: 'Both texts and both times are needed.',
})
