import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { DECIMALS } from '@dct/money'
import { simpleParser } from 'mailparser'
import webPush from 'web-push'
import { countWaiting } from '../modules/claims/index.ts'
import {
  createBotLoop,
  createHolderEmailChannel,
  createHolderLoop,
  createHolderPushChannel,
  createHolderTelegramChannel,
} from '../modules/messages/index.ts'
import { messagesRoutes } from '../modules/messages/messages.routes.ts'
import type { Db } from '../platform/database/db.ts'
import { createLogger } from '../platform/logger.ts'
import { createMailer } from '../platform/outbox/channels/mailer.ts'
import { createOutboxLoop } from '../platform/outbox/outbox-loop.ts'
import { everything } from './all-tables.ts'
import { createTestApp } from './app.ts'
import { PRICE_MAX_AGE_MS } from './claims.ts'
import { wipe } from './database.ts'
import { ManualClock } from './manual-clock.ts'
import { drain, NOON, SITE } from './outbox-world.ts'
import { type Mail, type Received, startMailServer, startReceiver } from './receivers.ts'
import { bearer, givenUser, type TestUser } from './users.ts'

const VAPID = webPush.generateVAPIDKeys()

export type MessagesWorld = Awaited<ReturnType<typeof createMessagesWorld>>

/**
 * Everything that notifies holders, with test receivers: a mail server, a Bot API and a push service. The test controls
 * the time of all of them.
 */
export async function createMessagesWorld(db: Db, clock: ManualClock) {
  const mail = await startMailServer()
  const telegram = await startReceiver()
  const push = await startReceiver()
  const app = await createTestApp({ db, realClock: clock })
  await app.register(messagesRoutes, {
    ...{ prefix: '/api', db, realClock: clock, isLocalPushAllowed: true },
    offered: { email: true, telegram: true, pushKey: VAPID.publicKey },
  })
  const bot = { api: telegram.url, token: '1:secret' }
  const deps = { db, realClock: clock, site: SITE, decimals: DECIMALS }
  const rules = { db, clock, dctDecimals: DECIMALS.DCT, priceMaxAgeMs: PRICE_MAX_AGE_MS }
  const shared = { db, log: createLogger('silent'), clock, realClock: clock, random: () => 0.5 }
  const channels = () => [
    createHolderEmailChannel({
      ...deps,
      ...{ mailer: createMailer(mail.url), from: 'messages@example.org' },
    }),
    createHolderTelegramChannel({ ...deps, bot }),
    createHolderPushChannel({
      ...{ ...deps, isLocalAllowed: true },
      sender: { ...VAPID, subject: 'mailto:support@example.org' },
      countWaiting: (userId) => countWaiting(rules, userId),
    }),
  ]
  const outbox = createOutboxLoop({
    ...{ ...shared, channels: [] },
    isTimeTrusted: () => true,
  })
  const holders = createHolderLoop({ ...shared, channels: channels() })
  return {
    ...{ app, mail, telegram, push, bot: createBotLoop({ ...deps, bot }) },
    /** A separate worker, as another process would run it. */
    worker: () => createHolderLoop({ ...shared, channels: channels() }),
    /** Makes a request as a user, or as someone who follows a link. */
    async call(
      method: 'GET' | 'PUT' | 'POST' | 'DELETE',
      path: string,
      by?: TestUser,
      body?: object,
    ) {
      const answer = await app.inject({
        ...{ method, url: `/api${path}` },
        ...(by === undefined ? {} : { headers: bearer(by) }),
        ...(body === undefined ? {} : { payload: body }),
      })
      return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() }
    },
    givenUser: (facts?: Parameters<typeof givenUser>[1]) =>
      givenUser({ db, clock, realClock: clock }, facts),
    /** Hands messages to the channels without sending them. */
    dispatch: () => drain(outbox),
    /** Sends everything that is due. */
    async deliver() {
      await drain(outbox)
      await drain(holders)
    },
  }
}

/** Empties the database. @returns a new world with one holder, at noon in UTC+7 */
export async function freshMessages(db: Db, facts?: Parameters<MessagesWorld['givenUser']>[0]) {
  await wipe(db)
  const clock = new ManualClock(NOON)
  const world = await createMessagesWorld(db, clock)
  return { clock, world, holder: await world.givenUser(facts) }
}

/** An email as its recipient sees it. */
export async function readMail({ text, to }: Mail) {
  const { subject, text: body = '', messageId, headers } = await simpleParser(text)
  return { to, subject, body, messageId, headers, source: text }
}

/** Gives a user a confirmed email address, bypassing the confirmation. */
export async function givenEmail(db: Db, user: TestUser, address: string, language = 'en') {
  await everything(db)
    .insertInto('message_channel')
    .values({
      ...{ user_id: user.id, kind: 'email', address, label: '', push_key: null },
      ...{ push_secret: null, created_at: AT, confirmed_at: AT, ended_at: null, problem: null },
    })
    .execute()
  await everything(db)
    .insertInto('message_language')
    .values({ user_id: user.id, language })
    .execute()
}
const AT = new Date('2026-01-01T00:00:00Z')

/** A browser that subscribes to push messages, and decrypts them by RFC 8291, independently of the sender's library. */
export function createBrowser(endpoint: string) {
  const keys: ECDH = createECDH('prime256v1')
  keys.generateKeys()
  const secret = randomBytes(16)
  return {
    /** In the format of `PushSubscription.toJSON()`. */
    subscription: {
      endpoint,
      keys: { p256dh: keys.getPublicKey('base64url'), auth: secret.toString('base64url') },
    },
    read: ({ bytes }: Received) => JSON.parse(decrypt(bytes, { keys, secret })),
  }
}

function decrypt(body: Buffer, { keys, secret }: { keys: ECDH; secret: Buffer }): string {
  const salt = body.subarray(0, 16)
  const length = body.readUInt8(20)
  const senderKey = body.subarray(21, 21 + length)
  const sealed = body.subarray(21 + length)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey])
  const shared = keys.computeSecret(senderKey)
  const material = Buffer.from(hkdfSync('sha256', shared, secret, info, 32))
  const key = hkdfSync('sha256', material, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = hkdfSync('sha256', material, salt, 'Content-Encoding: nonce\0', 12)
  const cipher = createDecipheriv('aes-128-gcm', Buffer.from(key), Buffer.from(nonce))
  cipher.setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
  return plain.subarray(0, plain.lastIndexOf(2)).toString()
}
