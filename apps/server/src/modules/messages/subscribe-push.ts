import { isIP } from 'node:net'
import type { PushBody, PushRenewalBody, PushSubscription } from '@dct/api-contract/messages'
import type { Clock } from '../../platform/clock.ts'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { isPublic } from '../../platform/outbox/channels/post.ts'
import {
  channelsOf,
  insertChannel,
  removeBrowser,
  removeChannels,
  replaceBrowser,
} from './channels.queries.ts'
import { setLanguage } from './choices.ts'
import { isPushKey, isPushSecret } from './push-keys.ts'

/** More browsers than anybody uses. Beyond this number, the oldest are removed. */
const MOST_BROWSERS = 10

export type PushDeps = {
  db: Db
  realClock: Clock
  isOffered: boolean
  /** In development a push service may be on the same host, and without TLS. */
  isLocalAllowed: boolean
}

/**
 * Adds a browser's subscription, replacing any with the same endpoint.
 * @returns the id of the channel
 * @throws Refusal `CHANNEL_NOT_OFFERED`, `SUBSCRIPTION_INVALID`
 */
export async function subscribePush(
  deps: PushDeps,
  { userId, body, userAgent }: { userId: bigint; body: PushBody; userAgent: string },
): Promise<bigint> {
  if (!deps.isOffered) throw new Refusal('CHANNEL_NOT_OFFERED')
  const { endpoint, keys, language } = body
  if (!isUsable(body, deps)) throw new Refusal('SUBSCRIPTION_INVALID')
  const at = deps.realClock.now()
  return inTransaction(deps.db, async (tx) => {
    await setLanguage(tx, { userId, language })
    await removeBrowser(tx, endpoint)
    const browsers = (await channelsOf(tx, userId)).filter(({ kind }) => kind === 'push')
    for (const { id } of browsers.slice(0, Math.max(0, browsers.length + 1 - MOST_BROWSERS)))
      await removeChannels(tx, { userId, id })
    return insertChannel(tx, {
      ...{ user_id: userId, kind: 'push', address: endpoint, label: userAgent.slice(0, 300) },
      ...{ push_key: keys.p256dh, push_secret: keys.auth, at, isConfirmed: true },
    })
  })
}

/**
 * Replaces a browser's former subscription with its new one, which then receives the pending messages. Needs no session,
 * because browsers renew subscriptions automatically.
 * @returns the id of the channel
 * @throws Refusal `CHANNEL_NOT_OFFERED`, `SUBSCRIPTION_INVALID`, `NO_SUCH_CHANNEL`
 */
export async function renewPush(deps: PushDeps, body: PushRenewalBody): Promise<bigint> {
  if (!deps.isOffered) throw new Refusal('CHANNEL_NOT_OFFERED')
  if (!isUsable(body.renewed, deps)) throw new Refusal('SUBSCRIPTION_INVALID')
  const id = await inTransaction(deps.db, (tx) => replaceBrowser(tx, body))
  if (id === undefined) throw new Refusal('NO_SUCH_CHANNEL')
  return id
}

/** The worker will post there, so the host must be on the public internet, which is checked again on sending. */
function isUsable({ endpoint, keys }: PushSubscription, { isLocalAllowed }: PushDeps): boolean {
  const url = URL.parse(endpoint)
  if (url === null || !isPushKey(keys.p256dh) || !isPushSecret(keys.auth)) return false
  if (isLocalAllowed) return url.protocol === 'https:' || url.protocol === 'http:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return url.protocol === 'https:' && (isIP(host) === 0 || isPublic(host))
}
