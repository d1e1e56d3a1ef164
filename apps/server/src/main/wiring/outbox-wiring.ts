import { DECIMALS } from '@dct/money'
import { realClock } from '../../platform/clock.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import type { Channel } from '../../platform/outbox/channels/channel.ts'
import { createEmailChannel } from '../../platform/outbox/channels/email.ts'
import { createTelegramChannel } from '../../platform/outbox/channels/telegram.ts'
import { createWebhookChannel } from '../../platform/outbox/channels/webhook.ts'
import { createOutboxLoop } from '../../platform/outbox/outbox-loop.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'

/** Sends alarms and business events to the channels that the settings name. */
export function outboxLoop(
  context: Pick<Context, 'config' | 'db' | 'log' | 'clock' | 'dctDecimals' | 'timeGuard'>,
): Loop {
  const { db, log, clock } = context
  return createOutboxLoop({
    ...{ db, log, clock, realClock, random: Math.random },
    channels: channelsOf(context),
    isTimeTrusted: context.timeGuard.isTrusted,
  })
}

export function channelsOf({
  config,
  dctDecimals,
}: Pick<Context, 'config' | 'dctDecimals'>): Channel[] {
  const { emails, smtpUrl, smtpFrom, telegram } = config.channels
  const sender = { brand: config.brand, origin: config.origin }
  const { api, token, chatId } = telegram
  return [
    ...(smtpUrl === undefined || smtpFrom === undefined
      ? []
      : // Each address once: two deliveries of a message to one receiver would stop the whole outbox.
        [...new Set(emails)].map((to) =>
          createEmailChannel({ url: smtpUrl, from: smtpFrom, to, sender }),
        )),
    ...(token === undefined || chatId === undefined
      ? []
      : [createTelegramChannel({ api, token, chatId, sender })]),
    ...webhooksOf(config, dctDecimals),
  ]
}

/** One channel for each address, even if it receives both alarms and events. */
function webhooksOf({ channels, devnet }: Config, dctDecimals: number): Channel[] {
  const { alarmWebhooks, eventWebhooks, webhookSecrets: secrets } = channels
  return [...new Set([...alarmWebhooks, ...eventWebhooks])].map((url) =>
    createWebhookChannel({
      ...{ url, secrets, clock: realClock },
      isForAlarms: alarmWebhooks.includes(url),
      isForEvents: eventWebhooks.includes(url),
      isLocalAllowed: devnet !== undefined,
      decimals: { ...DECIMALS, DCT: dctDecimals },
    }),
  )
}
