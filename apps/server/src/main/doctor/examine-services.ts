import { createMailer } from '../../platform/outbox/channels/mailer.ts'
import { callTelegram } from '../../platform/outbox/channels/telegram-api.ts'
import type { Config } from '../config.ts'
import { channelsOf } from '../wiring/outbox-wiring.ts'
import { advice, type Finding, fault, fine } from './finding.ts'

/** Only messages with amounts need the decimals, and none is sent. */
const NO_DECIMALS = 0

/** Checks that each receiver of alarms and events would accept messages. Sends none. */
export async function examineChannels(config: Config): Promise<Finding[]> {
  const channels = channelsOf({ config, dctDecimals: NO_DECIMALS })
  if (!channels.some(({ isForAlarms }) => isForAlarms)) {
    return [
      advice(
        'channel.any',
        'ALARM_EMAILS, TELEGRAM_BOT_TOKEN, ALARM_WEBHOOKS',
        'Alarms are shown to admins but sent to nobody: set one of these.',
      ),
    ]
  }
  return Promise.all(
    channels.map(({ kind, receiver, probe }) =>
      examineChannel(`channel.${kind}`, `${kind} ${receiver}`, probe),
    ),
  )
}

async function examineChannel(
  name: string,
  subject: string,
  probe: () => Promise<unknown>,
): Promise<Finding> {
  try {
    await probe()
    return fine(name, subject, 'Accepts messages; none was sent.')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return fault(name, subject, `Accepts no messages: ${reason}`)
  }
}

/** Checks that messages to holders would be accepted. Sends none. */
export async function examineHolderChannels({
  holderChannels,
  channels: { smtpUrl },
}: Config): Promise<Finding[]> {
  const { emailFrom, telegram } = holderChannels
  return Promise.all([
    ...(emailFrom === undefined || smtpUrl === undefined
      ? []
      : [examineChannel('holders.email', 'SMTP_URL', () => createMailer(smtpUrl).verify())]),
    ...(telegram === undefined
      ? []
      : [
          examineChannel('holders.telegram', 'HOLDER_TELEGRAM_BOT_TOKEN', () =>
            callTelegram(telegram, 'getMe', {}),
          ),
        ]),
  ])
}
