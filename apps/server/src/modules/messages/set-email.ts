import { randomUUID } from 'node:crypto'
import type { Language } from '@dct/api-contract/languages'
import { readEmail } from '@dct/rules/email'
import type { Clock } from '../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { wakePages } from '../../platform/database/wake-pages.ts'
import { Refusal } from '../../platform/errors.ts'
import { writeMessages } from '../../platform/outbox/write-messages.ts'
import { countAttempt, EMAIL_REFUSALS } from '../auth/index.ts'
import {
  type ChannelRecord,
  channelsOf,
  confirmChannel,
  insertChannel,
  receiverOf,
  removeChannels,
} from './channels.queries.ts'
import { setLanguage } from './choices.ts'
import { typeOf } from './holder-message.ts'
import { findToken } from './tokens.ts'

/** Low, because a confirmation may go to an address whose owner never entered it here. */
const CONFIRMATIONS_PER_HOUR = 5

export type EmailDeps = { db: Db; realClock: Clock; isOffered: boolean }
type Caller = { userId: bigint; ip: string }

/**
 * Sets the e-mail address for a holder's messages, replacing the former one, and sends a confirmation link.
 * @throws Refusal `CHANNEL_NOT_OFFERED`, `EMAIL_REQUIRED`, `EMAIL_SEVERAL`, `EMAIL_INVALID`, `TOO_MANY_REQUESTS`
 */
export async function setEmail(
  deps: EmailDeps,
  input: Caller & { address: string; language: Language },
): Promise<void> {
  if (!deps.isOffered) throw new Refusal('CHANNEL_NOT_OFFERED')
  const { email: address, problem } = readEmail(input.address)
  if (address === undefined) throw new Refusal(EMAIL_REFUSALS[problem])
  await countConfirmation(deps, input)
  const at = deps.realClock.now()
  await inTransaction(deps.db, async (tx) => {
    await setLanguage(tx, input)
    await removeChannels(tx, { userId: input.userId, kind: 'email' })
    const id = await insertChannel(tx, {
      ...{ user_id: input.userId, kind: 'email', address, label: '', at, isConfirmed: false },
    })
    await queueConfirmation(tx, { id, kind: 'email' }, at)
  })
}

/**
 * Sends the confirmation link again.
 * @throws Refusal `NO_SUCH_CHANNEL` if no address is waiting to be confirmed, `TOO_MANY_REQUESTS`
 */
export async function resendConfirmation(deps: EmailDeps, caller: Caller): Promise<void> {
  const channels = await channelsOf(deps.db, caller.userId)
  const waiting = channels.find(
    ({ kind, confirmed_at, ended_at }) =>
      kind === 'email' && confirmed_at === null && ended_at === null,
  )
  if (waiting === undefined) throw new Refusal('NO_SUCH_CHANNEL')
  await countConfirmation(deps, caller)
  await inTransaction(deps.db, (tx) => queueConfirmation(tx, waiting, deps.realClock.now()))
}

/**
 * Confirms the address that a link was sent to. Safe to repeat.
 * @throws Refusal `MESSAGE_TOKEN_INVALID`
 */
export async function confirmEmail(
  { db, realClock }: Pick<EmailDeps, 'db' | 'realClock'>,
  token: string,
): Promise<void> {
  const at = realClock.now()
  await inTransaction(db, async (tx) => {
    const found = await findToken(tx, { token, purpose: 'confirm_email' }, at)
    if (found === undefined || found.channel_id === null) throw new Refusal('MESSAGE_TOKEN_INVALID')
    await confirmChannel(tx, { id: found.channel_id, at })
    await wakePages(tx, [found.user_id])
  })
}

/** The token is created when the message is sent, so it is not stored anywhere. */
async function queueConfirmation(
  tx: Tx,
  channel: Pick<ChannelRecord, 'id' | 'kind'>,
  at: Date,
): Promise<void> {
  const receivers = [receiverOf(channel)]
  await writeMessages(tx, [
    { type: typeOf('confirm_email'), key: randomUUID(), data: {}, receivers, at },
  ])
}

async function countConfirmation(deps: EmailDeps, { userId, ip }: Caller): Promise<void> {
  await countAttempt(deps, {
    ...{ action: 'confirm_email', ip, subject: `${userId}` },
    perHour: CONFIRMATIONS_PER_HOUR,
  })
}
