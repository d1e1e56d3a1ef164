import { defineTexts } from '../shared/i18n/texts.ts'

export const frameTexts = defineTexts('frame', {
  aboutService: 'About this service',
  account: 'My Account',
  language: 'Language',
  languageFailed: 'The language could not be loaded. Please try again.',
  mainNavigation: 'Main',
  menu: 'Menu',
  pageLoading: 'Loading the page…',
  skipToContent: 'Skip to the content',
  toDark: 'Switch to the dark theme',
  transparency: 'Promised and held: check it yourself',
  toLight: 'Switch to the light theme',
  crashTitle: 'This page stopped working',
  crashText: 'Nothing was sent. Reload the page to go on.',
  reload: 'Reload',
})
