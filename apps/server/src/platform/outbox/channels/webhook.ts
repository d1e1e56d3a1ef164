import { createHash } from 'node:crypto'
import { type Asset, formatUnits } from '@dct/money'
import { Webhook } from 'standardwebhooks'
import type { Clock } from '../../clock.ts'
import type { JsonData } from '../../database/platform.tables.ts'
import type { Message } from '../message.ts'
import { type Channel, DeliveryError } from './channel.ts'
import { isAccepted, isPublic, post, reach } from './post.ts'

const GONE = 410

export type WebhookDeps = {
  url: string
  /** The first is the current one. During a rotation, the former ones sign as well. */
  secrets: readonly string[]
  isForAlarms: boolean
  isForEvents: boolean
  /** In development a receiver may be on the same host, and without TLS. */
  isLocalAllowed: boolean
  decimals: Readonly<Record<Asset, number>>
  clock: Clock
}

/** Sends messages to a URL, signed according to Standard Webhooks. */
export function createWebhookChannel(deps: WebhookDeps): Channel {
  const { url, isForAlarms, isForEvents, isLocalAllowed, clock } = deps
  const signers = deps.secrets.map((secret) => new Webhook(secret))
  const mayReach = isLocalAllowed ? () => true : isPublic
  return {
    ...{ kind: 'webhook', receiver: nameOf(url), isForAlarms, isForEvents },
    // Any answer shows that the receiver can be reached.
    probe: () => reach(url, mayReach),
    async send(message) {
      const now = clock.now()
      const body = webhookBody(message, deps.decimals)
      const answer = await post(url, {
        body,
        headers: {
          'webhook-id': message.id,
          'webhook-timestamp': `${Math.floor(now.getTime() / 1_000)}`,
          'webhook-signature': signers.map((one) => one.sign(message.id, now, body)).join(' '),
        },
        mayReach,
      })
      if (isAccepted(answer)) return
      throw new DeliveryError(`The receiver answered ${answer.status}.`, {
        retryAfterMs: answer.retryAfterMs,
        isFinal: answer.status === GONE,
      })
    },
  }
}

/** The JSON body that a webhook receives, with amounts as exact decimals. */
export function webhookBody(
  { type, at, severity, data }: Message,
  decimals: Readonly<Record<Asset, number>>,
): string {
  return JSON.stringify({
    type,
    timestamp: at.toISOString(),
    data: { ...(severity === null ? {} : { severity }), ...withDecimals(data, decimals) },
  })
}

function withDecimals(data: JsonData, decimals: Readonly<Record<Asset, number>>): JsonData {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      isMoney(value)
        ? { asset: value.asset, amount: formatUnits(BigInt(value.units), decimals[value.asset]) }
        : value,
    ]),
  )
}

function isMoney(value: unknown): value is { asset: Asset; units: string } {
  return typeof value === 'object' && value !== null && 'units' in value
}

/** The host of a URL, and enough of a digest to tell apart two URLs on it. The path may be a secret. */
function nameOf(url: string): string {
  return `${new URL(url).host} (${createHash('sha256').update(url).digest('hex').slice(0, 8)})`
}
