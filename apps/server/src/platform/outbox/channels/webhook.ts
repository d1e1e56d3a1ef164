import { createHash } from 'node:crypto'
import { type Asset, formatUnits } from '@dct/money'
import { Webhook } from 'standardwebhooks'
import type { Clock } from '../../clock.ts'
import type { JsonData } from '../../platform.tables.ts'
import type { Message } from '../message.ts'
import { type Channel, DeliveryError } from './channel.ts'
import { isPublic, post, reach } from './post.ts'

const GONE = 410

export type WebhookDeps = {
  url: string
  /** The first is the present one. While it is replaced, the former ones sign as well. */
  secrets: readonly string[]
  isForAlarms: boolean
  isForEvents: boolean
  /** In development a receiver may be on the same host, and without TLS. */
  isLocalAllowed: boolean
  decimals: Readonly<Record<Asset, number>>
  clock: Clock
}

/** Sends messages to an address, signed by the rules of Standard Webhooks. */
export function createWebhookChannel(deps: WebhookDeps): Channel {
  const { url, isForAlarms, isForEvents, isLocalAllowed, clock } = deps
  const signers = deps.secrets.map((secret) => new Webhook(secret))
  const mayReach = isLocalAllowed ? () => true : isPublic
  return {
    ...{ kind: 'webhook', receiver: nameOf(url), isForAlarms, isForEvents, isHeard: false },
    // Whatever it answers, it is there.
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
      if (answer.status >= 200 && answer.status < 300) return
      throw new DeliveryError(`The receiver answered ${answer.status}.`, {
        retryAfterMs: answer.retryAfterMs,
        isFinal: answer.status === GONE,
      })
    },
  }
}

/** What a webhook receives, in JSON: amounts are exact decimals. */
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

/** Its host, and enough of a digest to tell apart two addresses there. The path may be a secret. */
function nameOf(url: string): string {
  return `${new URL(url).host} (${createHash('sha256').update(url).digest('hex').slice(0, 8)})`
}
