import { Type } from 'typebox'
import {
  emailAddress,
  list,
  smtpUrl,
  telegramChat,
  telegramToken,
  url,
  vapidKey,
  webhookSecret,
} from './value-types.ts'

/** Where alarms and business events are sent, and how holders are reached. */
export const channels = {
  ALARM_EMAILS: list(emailAddress(), {
    unset: '',
    expects: 'e-mail addresses, separated by commas',
    description: 'receive alarms, each in a separate message',
  }),
  SMTP_URL: Type.Optional(
    smtpUrl({
      secret: 'secret',
      description: 'the mail server; always encrypted, unless it is on the same host',
    }),
  ),
  SMTP_FROM: Type.Optional(emailAddress({ description: 'the sender of alarms by e-mail' })),
  TELEGRAM_BOT_TOKEN: Type.Optional(
    telegramToken({ secret: 'secret', description: 'the token of the bot that sends alarms' }),
  ),
  TELEGRAM_CHAT_ID: Type.Optional(telegramChat({ description: 'receives alarms' })),
  ALARM_WEBHOOKS: list(url(), {
    secret: 'secret',
    unset: '',
    expects: 'https addresses, separated by commas',
    description: 'receive alarms, signed',
  }),
  EVENT_WEBHOOKS: list(url(), {
    secret: 'secret',
    unset: '',
    expects: 'https addresses, separated by commas',
    description: 'receive stakes, claims, fees and payouts, signed: docs/webhooks.md',
  }),
  WEBHOOK_SECRETS: list(webhookSecret(), {
    secret: 'secret',
    unset: '',
    expects: 'one or more secrets (whsec_…), separated by commas',
    description: 'sign the messages to webhooks; several while one replaces another',
  }),
  HOLDER_EMAIL_FROM: Type.Optional(
    emailAddress({
      unset: { devnet: 'messages@dct-earning.example' },
      description:
        'the sender of messages to holders, who can then choose e-mail; needs `SMTP_URL`',
    }),
  ),
  HOLDER_TELEGRAM_BOT_TOKEN: Type.Optional(
    telegramToken({
      secret: 'secret',
      description:
        'the token of the bot that holders can choose; nothing else may read its updates',
    }),
  ),
  VAPID_PRIVATE_KEY: Type.Optional(
    vapidKey({
      secret: 'secret',
      description: 'the key for Web Push, which holders can then choose',
    }),
  ),
}
