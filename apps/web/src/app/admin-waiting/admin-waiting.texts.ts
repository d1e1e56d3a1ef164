import { defineTexts } from '../../shared/i18n/texts.ts'

export const waitingTexts = defineTexts('adminWaiting', {
  title: 'Waiting for you',
  nothing:
    'Nothing is waiting: alarms, payouts, balances, the price, payments and approvals are in order.',
  nothingElse: 'Everything else is in order.',
  unknown: 'Could not be checked:',
  retry: 'Try again',
  onTab: '{count, plural, one {# item is waiting} other {# items are waiting}}',
  directClaims: 'Referral claims to approve: Fee Referral',
  nonDirectClaims: 'Referral claims to approve: Fee Earning',
  approvals: 'Decisions for a second admin',
  payments: 'Payments that match no fee',
  payouts: 'Payouts, senders and calls that are held',
  alarms: 'Open alarms',
  price: 'The price is missing, too old or about to expire',
  funds: 'Balances that are short or about to run out',
})
