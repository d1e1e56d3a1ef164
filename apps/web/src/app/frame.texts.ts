import { defineTexts, defineWording } from '../shared/i18n/texts.ts'

/** Words that the specification fixes, in English. */
export const FRAME_WORDING = defineWording('frameWording', {
  adminDashboard: 'Admin Dashboard',
  rewardHistory: 'Reward History',
  claimHistory: 'Claim History',
  claimApproval: 'Referral Claim Approval',
  dashboard: 'Dashboard',
  referral: 'Referral',
  login: 'Login',
  logout: 'Logout',
  loggedOut: 'Logout succeeded!',
  denied: 'Access denied. Please log in with the right account.',
})

export const frameTexts = defineTexts('frame', {
  aboutService: 'About this service',
  account: 'My Account',
  activity: 'Activity',
  control: 'Control',
  language: 'Language',
  languageFailed: 'The language could not be loaded. Please try again.',
  mainNavigation: 'Main',
  menu: 'Menu',
  offline: 'You are offline.',
  offlineSince: 'What you see is from {time} or earlier.',
  offlineUnsent: 'Nothing can be sent until you are online again.',
  operations: 'Operations',
  pageLoading: 'Loading the page…',
  skipToContent: 'Skip to the content',
  toDark: 'Switch to the dark theme',
  security: 'Security',
  status: 'Status',
  terms: 'Terms',
  questions: 'Common questions',
  transparency: 'Obligations and reserves',
  toLight: 'Switch to the light theme',
  crashTitle: 'This page stopped working',
  crashText: 'Reload the page to continue. What has already been sent is not affected.',
  reload: 'Reload',
  zone: 'Dates and times are in {zone}.',
  rights: '© {year} Earning System. All rights reserved.',
})
