import { defineTexts } from '../../shared/i18n/texts.ts'

export const messageSettingsTexts = defineTexts('messageSettings', {
  title: 'Messages',
  lead: 'Some steps have a last day, and missing it costs money. Choose how we tell you in time.',
  loadFailed: 'Your message settings could not be loaded.',
  noneOffered: 'Messages are not available here at the moment.',
  saveFailed: 'This could not be saved. Please try again.',
  test: 'Send me a test message',
  testSent: 'The test message is on its way.',
  testFailed: 'The test message could not be sent. Please try again.',
  remove: 'Remove',
  removeFailed: 'This could not be removed. Please try again.',
  on: 'On',
  off: 'Off',

  email: 'E-mail',
  emailLead: 'You confirm the address once, by a link that we send to it.',
  address: 'E-mail address',
  sendConfirmation: 'Send the confirmation',
  sendAgain: 'Send it again',
  sentAgain: 'The confirmation is on its way.',
  sendFailed: 'The confirmation could not be sent. Please try again.',
  unconfirmed:
    'Confirmation sent to {address}. Open the link in that e-mail within 24 hours; look in the spam folder too. Until then nothing else is sent.',
  confirmed: 'Messages go to {address}.',
  bounced:
    'Our e-mails to {address} come back, so none are sent any more. {reason} Please enter another address, or the same one once it works.',
  no_address: 'Its mail server says that there is no such mailbox.',
  no_domain: 'What follows the @ takes no e-mails.',
  disabled: 'Its mail server says that the mailbox is closed.',
  full: 'Its mail server says that the mailbox is full.',
  refused: 'Its mail server refuses them without saying why.',
  otherAddress: 'Use another address',

  push: 'This device',
  pushLead: 'Messages appear on this device even while this page is closed.',
  pushOn: 'Messages appear on this device.',
  turnOn: 'Turn on here',
  turnOff: 'Turn off here',
  pushFailed: 'Messages could not be turned on for this device. Please try again.',
  pushDismissed: 'Your browser was not given permission. Press the button again to be asked again.',
  pushBlocked:
    'Your browser blocks messages from this site. Open its settings for this site (the symbol beside the address, or App info on a phone), allow notifications, and come back here.',
  pushUnsupported:
    'This browser cannot show messages of this site. On an iPhone or iPad, add the site to the home screen and open it from there; elsewhere use a current browser, without a private window.',
  otherDevices: 'Your other devices',
  deviceEnded: 'Messages no longer arrive there.',

  telegram: 'Telegram',
  telegramLead: 'Our bot writes to you in a chat of your own.',
  linkTelegram: 'Link Telegram',
  linkFailed: 'The link could not be made. Please try again.',
  openTelegram: 'Open Telegram',
  telegramSteps:
    'Open Telegram and press Start in the chat with our bot. This page shows when it has worked.',
  telegramLinked: 'Messages go to {name}.',
  telegramEnded:
    'The chat with {name} has blocked our bot, so nothing is sent there any more. Link Telegram again to go on.',

  choices: 'What you are told',
  choicesLead:
    'Everything is on until you turn it off. Pale ticks tell nothing yet: their channel is not set up.',
  kind: 'Message',
  devices: 'Your devices',
  noReminder:
    'None of your channels tells you before an earning freezes. From that day on rewards can be lost.',
  freeze_reminder: 'Before an earning freezes: 7, 3 and 1 day',
  frozen: 'An earning is frozen, or loses rewards',
  last_days: 'The last days to claim or to pay a fee: 30, 7 and 1 day',
  lapsed: 'A reward was lost',
  claimable: 'A claim is possible again',
  fee_seen: 'Your fee has arrived',
  reward_sent: 'A reward was sent',
  capital_returned: 'Your capital has returned',
  referral_reward: 'You received a referral reward',
  referral_claim_paid: 'A referral claim was paid',
  new_device: 'Login from a new device',

  language: 'Messages are written in {messages}, and this page is in {page}.',
  changeLanguage: 'Write them in {page}',
})

/** The pages that links in e-mails open. */
export const linkTexts = defineTexts('messageLinks', {
  confirmTitle: 'Confirm your e-mail address',
  confirmLead: 'Messages about your account are sent to this address once you confirm it.',
  confirm: 'Confirm this address',
  confirmFailed: 'The address could not be confirmed. Please try again.',
  confirmed: 'Your e-mail address is confirmed. You can close this page.',
  unsubscribeTitle: 'Stop e-mails',
  unsubscribeLead: 'You receive e-mails of this kind: {kind}.',
  unsubscribe: 'Stop these e-mails',
  unsubscribeFailed: 'The e-mails could not be stopped. Please try again.',
  unsubscribed: 'You no longer receive e-mails of this kind: {kind}.',
  others: 'Other messages go on. You can choose each of them in your message settings.',
  noLink: 'This link is incomplete. Please open it from the e-mail again.',
  loadFailed: 'This could not be loaded.',
  settings: 'Message settings',
})
