import type { PushMessage } from '@dct/api-contract/messages'
import { DeliveryError, type PersonalChannel } from '../../../platform/outbox/channels/channel.ts'
import { isAccepted, isPublic, post } from '../../../platform/outbox/channels/post.ts'
import { isPushKey } from '../push-keys.ts'
import { createHolderChannel, type HolderChannelDeps, type Letter } from './holder-channel.ts'

/** The keys that identify the service to push services, and the contact of its operator. */
export type PushSender = { publicKey: string; privateKey: string; subject: string }

const AT_ONCE = 10
/** How long a push service keeps a message for an offline device: less than the seven days of the first reminder. */
const LIFE_SECONDS = 3 * 86_400
/** The subscription no longer exists. */
const GONE = [404, 410]
const TOO_LARGE = 413
/** The push service does not accept the service's own key. */
const KEY_REFUSED = [401, 403]

/** Sends holders' messages to their browsers. The topic is the message's id, so a repeat replaces the first message. */
export function createHolderPushChannel(
  deps: HolderChannelDeps & {
    sender: PushSender
    /** How many things wait for a holder: the number on the app's icon. */
    countWaiting(userId: bigint): Promise<number>
    /** In development a push service may be on the same host. */
    isLocalAllowed: boolean
  },
): PersonalChannel {
  return createHolderChannel(deps, {
    ...{ kind: 'holder_push', atOnce: AT_ONCE },
    async send(letter) {
      const waiting = await deps.countWaiting(letter.to.user_id)
      const { endpoint, headers, body } = await encrypt(letter, { sender: deps.sender, waiting })
      const mayReach = deps.isLocalAllowed ? () => true : isPublic
      const answer = await post(endpoint, { headers, body, mayReach }).catch(asPersonal)
      if (isAccepted(answer)) return
      const { status, retryAfterMs } = answer
      throw new DeliveryError(`The push service answered ${status}.`, {
        retryAfterMs,
        isGone: GONE.includes(status),
        isFinal: status === TOO_LARGE,
        isPersonal: !KEY_REFUSED.includes(status),
      })
    },
  })
}

/** Each browser has chosen its push service, so a silent one may be the fault of that browser alone. */
function asPersonal(error: unknown): never {
  if (!(error instanceof DeliveryError)) throw error
  throw new DeliveryError(error.message, { isUnreached: true, isPersonal: true })
}

async function encrypt(
  { id, kind, title, body, url, to }: Letter,
  { sender, waiting }: { sender: PushSender; waiting: number },
) {
  // Loaded with the first message, because most processes send none.
  const { default: webPush } = await import('web-push')
  const message = { id, kind, title, body, url, waiting } as PushMessage
  if (!isPushKey(to.push_key ?? '')) {
    throw new DeliveryError('The browser’s key is not a key.', { isGone: true })
  }
  const { endpoint, headers, ...request } = webPush.generateRequestDetails(
    { endpoint: to.address, keys: { p256dh: to.push_key ?? '', auth: to.push_secret ?? '' } },
    JSON.stringify(message),
    {
      vapidDetails: sender,
      TTL: LIFE_SECONDS,
      urgency: 'high',
      topic: id.replaceAll('-', ''),
    },
  )
  const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), `${value}`])
  return { endpoint, headers: Object.fromEntries(texts), body: request.body }
}
