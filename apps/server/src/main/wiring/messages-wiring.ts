import { DECIMALS } from '@dct/money'
import { countWaiting } from '../../modules/claims/index.ts'
import {
  createBotLoop,
  createHolderEmailChannel,
  createHolderLoop,
  createHolderPushChannel,
  createHolderTelegramChannel,
} from '../../modules/messages/index.ts'
import type { MessagesRoutesDeps } from '../../modules/messages/messages.routes.ts'
import { realClock } from '../../platform/clock.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { createMailer, type Mailer } from '../../platform/outbox/channels/mailer.ts'
import type { Context } from '../context.ts'

/** The dependencies of the calls about holders' channels. */
export function messagesDeps(context: Context): MessagesRoutesDeps {
  const { db, config } = context
  const { telegram, push } = config.holderChannels
  return {
    ...{ db, realClock },
    offered: {
      email: mailOf(context) !== undefined,
      telegram: telegram !== undefined,
      pushKey: push?.publicKey ?? null,
    },
    isLocalPushAllowed: config.devnet !== undefined,
  }
}

/** Loops that send messages to holders and read what holders write to the bot. */
export function holderLoops(context: Context): Loop[] {
  const { db, log, clock, config, dctDecimals } = context
  const { telegram, push } = config.holderChannels
  const site = { brand: config.brand, origin: config.origin }
  const deps = { db, realClock, site, decimals: { ...DECIMALS, DCT: dctDecimals } }
  const mail = mailOf(context)
  const isLocalAllowed = config.devnet !== undefined
  const channels = [
    ...(mail === undefined ? [] : [createHolderEmailChannel({ ...deps, ...mail })]),
    ...(telegram === undefined ? [] : [createHolderTelegramChannel({ ...deps, bot: telegram })]),
    ...(push === undefined
      ? []
      : [
          createHolderPushChannel({
            ...{ ...deps, sender: push, isLocalAllowed },
            countWaiting: (userId) => countWaiting(context, userId),
          }),
        ]),
  ]
  return [
    createHolderLoop({ db, log, clock, realClock, random: Math.random, channels }),
    ...(telegram === undefined ? [] : [createBotLoop({ db, realClock, site, bot: telegram })]),
  ]
}

/** How e-mails to holders are sent; undefined if the operator has not set it up. */
function mailOf({
  config,
  mailbox,
}: Context): { mailer: Pick<Mailer, 'send'>; from: string } | undefined {
  const { emailFrom: from } = config.holderChannels
  const { smtpUrl } = config.channels
  if (from === undefined) return undefined
  if (mailbox !== undefined) return { mailer: mailbox, from }
  return smtpUrl === undefined ? undefined : { mailer: createMailer(smtpUrl), from }
}
