import { createHmac } from 'node:crypto'
import { DECIMALS } from '@dct/money'
import { beforeEach, expect } from 'vitest'
import { createLogger } from '../platform/logger.ts'
import type { Channel } from '../platform/outbox/channels/channel.ts'
import { createWebhookChannel } from '../platform/outbox/channels/webhook.ts'
import { createOutboxLoop, type OutboxDeps } from '../platform/outbox/outbox-loop.ts'
import { newestDeliveries } from '../platform/outbox/read-deliveries.ts'
import { useTestDatabase, wipe } from './database.ts'
import { ManualClock } from './manual-clock.ts'
import type { Received } from './receivers.ts'

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
export const FORMER_SECRET = `whsec_${Buffer.alloc(24, 2).toString('base64')}`

/** Noon in UTC+7. */
export const NOON = '2026-01-10T05:00:00Z'
export const SITE = { brand: 'DCT Earning', origin: 'https://earn.example.org' }
/** The facts of an alarm. */
export const FUNDS = {
  kind: 'funds.low',
  subject: 'TRX_LOW',
  message: 'TRX is short.',
  at: new Date(NOON),
} as const

/** Outboxes of a test file, one per worker. Each test starts at noon with an empty database. */
export function useOutboxWorld() {
  const database = useTestDatabase()
  const clock = new ManualClock(NOON)
  beforeEach(async () => {
    await wipe(database.db)
    clock.set(NOON)
  })
  return {
    database,
    clock,
    webhook: (url: string, wants: { isForEvents?: boolean; isForAlarms?: boolean } = {}) =>
      createWebhookChannel({
        ...{ url, secrets: [SECRET, FORMER_SECRET], isLocalAllowed: true, clock },
        ...{ isForAlarms: true, isForEvents: false, decimals: DECIMALS },
        ...wants,
      }),
    outbox: (channels: readonly Channel[], changes: Partial<OutboxDeps> = {}) =>
      createOutboxLoop({
        ...{ db: database.db, log: createLogger('silent'), clock, realClock: clock },
        ...{ random: () => 0.5, channels },
        isTimeTrusted: () => true,
        ...changes,
      }),
    /** State and number of attempts of each delivery, latest first. */
    states: async () =>
      (await newestDeliveries(database.db)).map(({ state, attempts }) => `${state} ${attempts}`),
  }
}

/** Steps until nothing is due. */
export async function drain({ step }: { step(): Promise<boolean> }): Promise<void> {
  while (!(await step()));
}

/** The body, if an independent implementation of Standard Webhooks confirms the signature. */
export function verified(received: Received | undefined, secret = SECRET) {
  const { headers = {}, body = '' } = received ?? {}
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  expect(`${headers['webhook-signature']}`.split(' ')).toContain(expected)
  return JSON.parse(body)
}
