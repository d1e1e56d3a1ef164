import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Clock } from '../../platform/clock.ts'
import { createMailer } from '../../platform/outbox/channels/mailer.ts'
import { callTelegram } from '../../platform/outbox/channels/telegram-api.ts'
import { backupStoreOf, required } from '../backup-store.ts'
import type { Config } from '../config.ts'
import { newestBackupAt } from '../make-backup.ts'
import { channelsOf } from '../wiring/outbox-wiring.ts'
import { advice, type Finding, fault, fine, judge } from './finding.ts'

const HOUR_MS = 3_600_000
const OLDEST_BACKUP_HOURS = 48
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
  notifications: { smtpUrl },
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

/** Examines the storage of backups, without writing to it. */
export async function examineBackups({ backup }: Config, realClock: Clock): Promise<Finding> {
  const name = 'backup.storage'
  const subject = 'BACKUP_TO'
  if (backup.to === undefined) {
    return advice(
      name,
      subject,
      'Not set, so npm run backup has nowhere to write to: without backups or point-in-time recovery the books can be lost.',
    )
  }
  const problem = await folderProblem(backup.to)
  if (problem !== undefined) return fault(name, subject, problem)
  let ageHours: number | undefined
  const found = await judge(name, subject, async () => {
    required('BACKUP_RECIPIENT', backup.recipient)
    const newest = await newestBackupAt(backupStoreOf(backup))
    if (newest === undefined) return 'Can be read; there is no backup yet.'
    ageHours = (realClock.now().getTime() - newest.getTime()) / HOUR_MS
    return `Can be read; the newest backup is ${ageHours.toFixed(1)} hours old.`
  })
  return ageHours === undefined || ageHours <= OLDEST_BACKUP_HOURS
    ? found
    : fault(
        name,
        subject,
        `${found.text} Find out why none was made since: npm run backup -- --every 6.`,
      )
}

async function folderProblem(to: string): Promise<string | undefined> {
  if (!to.startsWith('/')) return undefined
  try {
    await access(to, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return `The folder ${to} cannot be used (${code}): create it, mount its disk, or allow this user to write there.`
  }
}
