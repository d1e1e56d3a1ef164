/**
 * The messages of the service after a success, by a stable name. They are in English; the browser shows a translation
 * if it has one.
 */
export const SUCCESSES = {
  PLAN_CAN_BE_CREATED: 'The plan can be created.',
  PLAN_TERMS_FIXED: 'The terms are fixed on chain.',
  PLAN_CREATED: 'The earning plan was created.',
  PLAN_CHANGED: 'The earning plan was changed.',
  USER_REMOVED: 'The user was removed.',
  REFERRAL_CLAIM_DECLINED: 'The claim has been declined. Its amount can be claimed again.',
  REFERRAL_CLAIM_RETURNED: 'The payout has been ended. Its amount can be claimed again.',
  REFERRAL_CLAIM_APPROVED: 'The claim is approved. The USDT is being sent.',
  REFERRAL_CLAIM_NEEDS_SECOND:
    'Your approval has been recorded. The claim now needs the approval of a second admin.',
  PERCENTAGE_SET: 'The referral reward percentage has been set.',
  PERCENTAGE_NEEDS_SECOND:
    'Nothing has changed yet: the percentage takes effect when another admin sends the same one within a day.',
  PROPOSAL_WITHDRAWN: 'The proposal is withdrawn. Nothing has changed.',
  PROPOSAL_DECLINED: 'The proposal is declined. Nothing has changed.',
  WALLET_CONFIRMED: 'Confirmed with your wallet.',
  AUDIT_BEGINS: 'The audit begins in a moment.',
  ALARM_ACKNOWLEDGED: 'The alarm is acknowledged.',
  TEST_MESSAGE_SENT: 'The test message is on its way.',
  MAINTENANCE_ANNOUNCED: 'The note is shown on the status page.',
  MAINTENANCE_ENDED: 'The note is no longer shown.',
  TERMS_ACCEPTED: 'The terms are accepted.',
  TERMS_PUBLISHED: 'The new version is published.',
  CLAIM_CANCELLED: 'The claim is cancelled. Its amount can be claimed again.',
  FEE_RECORDED: 'Fee successfully paid and recorded!',
  FEE_SUBMITTED:
    'Payment submitted. It is recorded as soon as the network has confirmed it; there is nothing else to do.',
  STEP_REPORTED: 'The report is stored.',
  PAYMENT_REFUNDED: 'The payment is marked as refunded.',
  CALL_RETRIED: 'The call will be retried.',
  CALL_GIVEN_UP: 'The call was given up.',
  PAYOUT_RETRIED: 'The payout will be retried.',
  PAYOUT_HELD: 'The payout is held.',
  NOTE_KEPT: 'The note has been saved.',
  LINK_REVOKED: 'The link has been revoked.',
  PLAN_JOINED: 'You have joined the plan.',
  JOIN_RECEIVED: 'Your transaction was received. It is being confirmed.',
  CAPITAL_LOCKED: 'The lock period of this plan is not over yet.',
  CAPITAL_DUE: 'Your capital can be returned now.',
  CAPITAL_RELEASING: 'Your capital is being sent back to your wallet.',
  CAPITAL_RELEASED: 'Your capital was sent back to your wallet.',
  MONEY_SETTING_SET: 'The value is set.',
  MONEY_SETTING_NEEDS_SECOND:
    'Nothing has changed yet: the value takes effect when another admin sends the same one.',
  PRICE_SET: 'The price is set.',
  PRICE_NEEDS_SECOND:
    'The price has not changed yet: the change exceeds what one admin may make within a day. It takes effect when another admin sends the same price.',
  REFERRAL_CLAIM_SAVED:
    'Your claim of {amount} USDT is saved. It is sent once an admin has approved it.',
  EMAIL_REMOVED: 'The e-mail address is removed.',
  ACCOUNT_CLOSED: 'Your account is closed, and your personal data is removed.',
  SESSION_ENDED: 'That session was ended.',
  SESSIONS_ENDED: 'Logged out everywhere. Sessions ended: {count}.',
  CHAIN_RESUMED: '{chain} is read again.',
  PAYMENT_ATTACHED: 'The payment is attached to {code}.',
  MESSAGE_LANGUAGE_SET: 'The language of your messages is set.',
  CONFIRMATION_SENT:
    'A message is on its way to this address. Open the link in it to confirm the address.',
  EMAIL_CONFIRMED: 'Your e-mail address is confirmed.',
  CHANNEL_REMOVED: 'Nothing more is sent there.',
  MESSAGE_CHOICE_SAVED: 'Your choice is saved.',
  UNSUBSCRIBED: 'You no longer receive these e-mails.',
  CLAIM_REQUESTED: '{type} Reward successfully claimed!',
} as const satisfies Record<string, string>

/** A message with values in place of its placeholders. */
export function successOf(
  name: keyof typeof SUCCESSES,
  values: Readonly<Record<string, string | number>>,
): string {
  return SUCCESSES[name].replaceAll(/\{(\w+)\}/g, (_, key: string) => String(values[key]))
}
