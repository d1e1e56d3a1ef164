import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Strict, Timestamp } from './common.ts'
import { LANGUAGES } from './languages.ts'

/**
 * The kinds of messages to holders, in the order of the settings page. A message is about money if it concerns costs or
 * movements of money; a holder can end the other kinds with one click on a link in an e-mail.
 */
export const HOLDER_MESSAGES = {
  freeze_reminder: { isAboutMoney: true },
  frozen: { isAboutMoney: true },
  last_days: { isAboutMoney: true },
  lapsed: { isAboutMoney: true },
  claimable: { isAboutMoney: false },
  fee_seen: { isAboutMoney: true },
  reward_sent: { isAboutMoney: true },
  capital_returned: { isAboutMoney: true },
  referral_reward: { isAboutMoney: true },
  referral_claim_paid: { isAboutMoney: true },
  new_device: { isAboutMoney: false },
} as const
export type MessageKind = keyof typeof HOLDER_MESSAGES
export const MESSAGE_KINDS = Object.keys(HOLDER_MESSAGES) as MessageKind[]
export const MessageKind = OneOf(...MESSAGE_KINDS)

export const MESSAGE_CHANNELS = ['email', 'telegram', 'push'] as const
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number]
export const MessageChannel = OneOf(...MESSAGE_CHANNELS)

export const MessageLanguage = OneOf(...(Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]))

/** Why a mail server refuses an address permanently. */
export const EMAIL_PROBLEMS = ['no_address', 'no_domain', 'disabled', 'full', 'refused'] as const
export type EmailProblem = (typeof EMAIL_PROBLEMS)[number]

const ByChannel = { email: Type.Boolean(), telegram: Type.Boolean(), push: Type.Boolean() }

/** A holder's channels, and which messages each of them receives. */
export const MessageSettingsReply = Type.Object({
  language: MessageLanguage,
  offered: Type.Object(ByChannel, { description: 'The channels that the operator has set up.' }),
  push_key: Nullable(Type.String({ description: 'The applicationServerKey, base64url.' })),
  registered_email: Nullable(Type.String({ description: 'The address given at registration.' })),
  email: Nullable(
    Type.Object({
      address: Type.String(),
      state: OneOf('unconfirmed', 'confirmed', 'ended'),
      problem: Nullable(OneOf(...EMAIL_PROBLEMS)),
    }),
  ),
  telegram: Nullable(Type.Object({ name: Type.String(), state: OneOf('linked', 'ended') })),
  push: Type.Array(
    Type.Object({
      id: Type.String(),
      endpoint: Type.String(),
      device: Type.String({ description: 'The user agent that subscribed.' }),
      state: OneOf('subscribed', 'ended'),
      created_at: Timestamp,
    }),
  ),
  choices: Type.Array(
    Type.Object({ kind: MessageKind, is_about_money: Type.Boolean(), ...ByChannel }),
  ),
})
export type MessageSettingsReply = Static<typeof MessageSettingsReply>

export const MessageLanguageBody = Strict({ language: MessageLanguage })
export const MessageEmailBody = Strict({
  address: Type.String({ maxLength: 1_000 }),
  language: MessageLanguage,
})
export const TelegramLinkReply = Type.Object({
  url: Type.String({ description: 'Opens the bot, which links the chat when it is started.' }),
  expires_at: Timestamp,
})
export type TelegramLinkReply = Static<typeof TelegramLinkReply>

/** A browser's push subscription, as it describes itself. */
const Subscription = {
  endpoint: Type.String({ minLength: 1, maxLength: 1_000 }),
  keys: Strict({
    p256dh: Type.String({ minLength: 1, maxLength: 200 }),
    auth: Type.String({ minLength: 1, maxLength: 100 }),
  }),
}
const PushSubscription = Strict(Subscription)
export type PushSubscription = Static<typeof PushSubscription>
export const PushBody = Strict({ ...Subscription, language: MessageLanguage })
export type PushBody = Static<typeof PushBody>
/** A browser replaces its subscription, and proves with the former one's secret that it is the same browser. */
export const PushRenewalBody = Strict({ former: PushSubscription, renewed: PushSubscription })
export type PushRenewalBody = Static<typeof PushRenewalBody>
export const PushReply = Type.Object({ id: Type.String() })
export type PushReply = Static<typeof PushReply>

export const MessageChoiceBody = Strict({
  kind: MessageKind,
  channel: MessageChannel,
  is_wanted: Type.Boolean(),
})
export const MessageTestBody = Strict({ channel: MessageChannel })

const Token = Type.String({ minLength: 1, maxLength: 200 })
export const ConfirmEmailBody = Strict({ token: Token })
export const UnsubscribeQuery = Strict({ token: Token })
/** The kind of message that the token of an unsubscribe link ends. */
export const SubscriptionReply = Type.Object({
  kind: MessageKind,
  is_subscribed: Type.Boolean(),
})
export type SubscriptionReply = Static<typeof SubscriptionReply>

/** A message that a browser receives by Web Push, as JSON. `id` remains the same when it is sent again. */
export type PushMessage = {
  id: string
  kind: MessageKind | 'test'
  title: string
  body: string
  /** The path of the page to open. */
  url: string
  /** The number of things that wait for the holder, shown on the app's icon. */
  waiting: number
}
