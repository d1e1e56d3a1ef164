import { randomUUID } from 'node:crypto'
import { MessageReply } from '@dct/api-contract/common'
import {
  ConfirmEmailBody,
  MessageChoiceBody,
  MessageEmailBody,
  MessageLanguageBody,
  MessageSettingsReply,
  MessageTestBody,
  PushBody,
  PushRenewalBody,
  PushReply,
  SubscriptionReply,
  TelegramLinkReply,
  UnsubscribeQuery,
} from '@dct/api-contract/messages'
import { SUCCESSES } from '@dct/api-contract/successes'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { userOf } from '../../platform/http/http.ts'
import { writeMessages } from '../../platform/outbox/write-messages.ts'
import { channelsOf, receiverOf, removeChannels } from './channels.queries.ts'
import { choose, setLanguage } from './choices.ts'
import { describeMessageSettings } from './describe-message-settings.ts'
import { typeOf } from './holder-message.ts'
import { botName, createTelegramLink } from './link-telegram.ts'
import { confirmEmail, resendConfirmation, setEmail } from './set-email.ts'
import { type PushDeps, renewPush, subscribePush } from './subscribe-push.ts'
import { readSubscription, unsubscribe } from './unsubscribe.ts'

/** The channels that the operator has set up for reaching holders. */
export type Offered = { email: boolean; telegram: boolean; pushKey: string | null }

export type MessagesRoutesDeps = {
  db: Db
  realClock: Clock
  offered: Offered
  /** In development a push service may be on the same host, and without TLS. */
  isLocalPushAllowed: boolean
}

const PATH = '/user/messages'
const config = { role: 'any' } as const
const PUBLIC = { role: 'public' } as const
const message = { 200: MessageReply }

/** A holder's channels and choices, and the links in messages. */
export const messagesRoutes: FastifyPluginAsyncTypebox<MessagesRoutesDeps> = async (app, deps) => {
  for (const routes of [choiceRoutes, channelRoutes, linkRoutes])
    await app.register(routes, { ...deps, prefix: '' })
}

const choiceRoutes: FastifyPluginAsyncTypebox<MessagesRoutesDeps> = async (app, deps) => {
  const { db, realClock, offered } = deps
  const read = { response: { 200: MessageSettingsReply } }
  app.get(PATH, { schema: read, config }, async (request) => {
    const telegram = offered.telegram && (await botName(db)) !== null
    return describeMessageSettings(db, {
      userId: userOf(request).id,
      offered: { email: offered.email, telegram, push: offered.pushKey !== null },
      pushKey: offered.pushKey,
    })
  })

  const language = { body: MessageLanguageBody, response: message }
  app.put(`${PATH}/language`, { schema: language, config }, async (request) => {
    await setLanguage(db, { userId: userOf(request).id, language: request.body.language })
    return { message: SUCCESSES.MESSAGE_LANGUAGE_SET }
  })

  const choice = { body: MessageChoiceBody, response: message }
  app.put(`${PATH}/choices`, { schema: choice, config }, async (request) => {
    const { kind, channel, is_wanted: isWanted } = request.body
    const userId = userOf(request).id
    await choose(db, { userId, kind, channel, isWanted })
    return { message: SUCCESSES.MESSAGE_CHOICE_SAVED }
  })

  const test = { body: MessageTestBody, response: message }
  app.post(`${PATH}/test`, { schema: test, config }, async (request) => {
    const { channel } = request.body
    const channels = await channelsOf(db, userOf(request).id)
    const receivers = channels
      .filter(({ kind, confirmed_at }) => kind === channel && confirmed_at !== null)
      .filter(({ ended_at }) => ended_at === null)
      .map(receiverOf)
    if (receivers.length === 0) throw new Refusal('NO_SUCH_CHANNEL')
    const at = realClock.now()
    await inTransaction(db, (tx) =>
      writeMessages(tx, [{ type: typeOf('test'), key: randomUUID(), data: {}, receivers, at }]),
    )
    return { message: SUCCESSES.TEST_MESSAGE_SENT }
  })
}

const channelRoutes: FastifyPluginAsyncTypebox<MessagesRoutesDeps> = async (app, deps) => {
  const { db, realClock, offered } = deps
  const mail = { db, realClock, isOffered: offered.email }
  const remove = (which: Parameters<typeof removeChannels>[1]) =>
    inTransaction(db, (tx) => removeChannels(tx, which))
  const removed = { message: SUCCESSES.CHANNEL_REMOVED }

  const email = { body: MessageEmailBody, response: message }
  app.put(`${PATH}/email`, { schema: email, config }, async (request) => {
    await setEmail(mail, { ...request.body, userId: userOf(request).id, ip: request.ip })
    return { message: SUCCESSES.CONFIRMATION_SENT }
  })
  const plain = { response: message }
  app.post(`${PATH}/email/confirmation`, { schema: plain, config }, async (request) => {
    await resendConfirmation(mail, { userId: userOf(request).id, ip: request.ip })
    return { message: SUCCESSES.CONFIRMATION_SENT }
  })
  app.delete(`${PATH}/email`, { schema: plain, config }, async (request) => {
    await remove({ userId: userOf(request).id, kind: 'email' })
    return removed
  })

  const link = { body: MessageLanguageBody, response: { 200: TelegramLinkReply } }
  app.post(`${PATH}/telegram`, { schema: link, config }, async (request) => {
    const { url, expiresAt } = await createTelegramLink(
      { db, realClock, isOffered: offered.telegram },
      { userId: userOf(request).id, language: request.body.language },
    )
    return { url, expires_at: expiresAt.toISOString() }
  })
  app.delete(`${PATH}/telegram`, { schema: plain, config }, async (request) => {
    await remove({ userId: userOf(request).id, kind: 'telegram' })
    return removed
  })

  const push = { body: PushBody, response: { 200: PushReply } }
  app.post(`${PATH}/push`, { schema: push, config }, async (request) => {
    const { body, headers } = request
    const userAgent = headers['user-agent'] ?? ''
    const id = await subscribePush(pushDeps(deps), { userId: userOf(request).id, body, userAgent })
    return { id: `${id}` }
  })
  const Id = Type.Object({ id: Type.String({ pattern: '^\\d{1,18}$' }) })
  const one = { params: Id, response: message }
  app.delete(`${PATH}/push/:id`, { schema: one, config }, async (request) => {
    const id = BigInt(request.params.id)
    const count = await remove({ userId: userOf(request).id, kind: 'push', id })
    if (count === 0) throw new Refusal('NO_SUCH_CHANNEL')
    return removed
  })
}

function pushDeps({ db, realClock, offered, isLocalPushAllowed }: MessagesRoutesDeps): PushDeps {
  const isOffered = offered.pushKey !== null
  return { db, realClock, isOffered, isLocalAllowed: isLocalPushAllowed }
}

/**
 * Endpoints for the links in messages, and for push renewals by browsers. The caller is identified by a token, or by the
 * secret of the former subscription, so none of them needs a session.
 */
const linkRoutes: FastifyPluginAsyncTypebox<MessagesRoutesDeps> = async (app, deps) => {
  const confirm = { body: ConfirmEmailBody, response: message }
  app.post('/messages/confirm-email', { schema: confirm, config: PUBLIC }, async (request) => {
    await confirmEmail(deps, request.body.token)
    return { message: SUCCESSES.EMAIL_CONFIRMED }
  })

  const renewal = { body: PushRenewalBody, response: { 200: PushReply } }
  app.post('/messages/push-renewal', { schema: renewal, config: PUBLIC }, async (request) => {
    return { id: `${await renewPush(pushDeps(deps), request.body)}` }
  })

  const read = { querystring: UnsubscribeQuery, response: { 200: SubscriptionReply } }
  app.get('/messages/subscription', { schema: read, config: PUBLIC }, async (request) => {
    const { kind, isSubscribed } = await readSubscription(deps, request.query.token)
    return { kind, is_subscribed: isSubscribed }
  })

  await app.register(oneClick, deps)
  // Some mail programs open the URL instead. They get a page that asks first, because a GET must change nothing.
  const open = {
    querystring: UnsubscribeQuery,
    response: { 302: Type.Null({ description: 'To the page that asks first.' }) },
  }
  app.get('/messages/unsubscribe', { schema: open, config: PUBLIC }, async (request, reply) =>
    reply.redirect(`/unsubscribe?token=${encodeURIComponent(request.query.token)}`),
  )
}

/**
 * One click in a mail program (RFC 8058): it posts a form, of either kind, or nothing. Whatever it posts means the same,
 * so its content is read and ignored.
 */
const oneClick: FastifyPluginAsyncTypebox<MessagesRoutesDeps> = async (app, deps) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))
  // Not even a type that is none may keep somebody from unsubscribing.
  app.addHook('onRequest', async ({ headers }) => {
    headers['content-type'] = 'text/plain'
  })
  const end = { querystring: UnsubscribeQuery, response: message }
  app.post('/messages/unsubscribe', { schema: end, config: PUBLIC }, async (request) => {
    await unsubscribe(deps, request.query.token)
    return { message: SUCCESSES.UNSUBSCRIBED }
  })
}
