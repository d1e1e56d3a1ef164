import { defineTexts } from '../../shared/i18n/texts.ts'

export const installedAppTexts = defineTexts('installedApp', {
  newVersion: 'A new version of this app is ready. It opens as soon as you reload the page.',
  reload: 'Reload',
  unreachable:
    'The service cannot be reached at the moment. You are still logged in; this page keeps trying.',
  unreachableVisitor: 'The service cannot be reached at the moment. This page keeps trying.',
})
