import { MESSAGE_KINDS, type MessageChannel, type MessageKind } from '@dct/api-contract/messages'
import type { Clock } from '../../platform/clock.ts'
import type { Db, DbOrTx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { findChannel } from './channels.queries.ts'
import { choose, refusalsOf } from './choices.ts'
import { findToken } from './tokens.ts'

type Deps = { db: Db; realClock: Clock }

/**
 * The kind of message that an unsubscribe link stops, and whether it is still sent.
 * @throws Refusal `MESSAGE_TOKEN_INVALID`
 */
export async function readSubscription(
  { db, realClock }: Deps,
  token: string,
): Promise<{ kind: MessageKind; isSubscribed: boolean }> {
  const { userId, kind, channel } = await readToken(db, token, realClock.now())
  const refusals = await refusalsOf(db, userId)
  return { kind, isSubscribed: !refusals.has(`${kind} ${channel}`) }
}

/** Stops the link's kind of message on its channel. Safe to repeat. @throws Refusal `MESSAGE_TOKEN_INVALID` */
export async function unsubscribe({ db, realClock }: Deps, token: string): Promise<void> {
  const choice = await readToken(db, token, realClock.now())
  await choose(db, { ...choice, isWanted: false })
}

async function readToken(
  db: DbOrTx,
  token: string,
  now: Date,
): Promise<{ userId: bigint; kind: MessageKind; channel: MessageChannel }> {
  const found = await findToken(db, { token, purpose: 'unsubscribe' }, now)
  const channel =
    found?.channel_id === undefined || found.channel_id === null
      ? undefined
      : await findChannel(db, found.channel_id)
  const kind = MESSAGE_KINDS.find((known) => known === found?.message_kind)
  if (found === undefined || channel === undefined || kind === undefined) {
    throw new Refusal('MESSAGE_TOKEN_INVALID')
  }
  return { userId: found.user_id, kind, channel: channel.kind }
}
