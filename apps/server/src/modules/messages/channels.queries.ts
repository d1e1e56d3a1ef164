import type { EmailProblem, MessageChannel, PushRenewalBody } from '@dct/api-contract/messages'
import type { Selectable } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../platform/database/db.ts'
import type { Receiver } from '../../platform/database/platform.tables.ts'
import { type MessageChannelTable, own } from './messages.tables.ts'

export type ChannelRecord = Selectable<MessageChannelTable>

/** The outbox's identifier of a channel. */
export function receiverOf({ kind, id }: Pick<ChannelRecord, 'kind' | 'id'>): Receiver {
  return { channel: `holder_${kind}`, receiver: `${id}` }
}

/** A holder's channels, oldest first. */
export async function channelsOf(db: DbOrTx, userId: bigint): Promise<ChannelRecord[]> {
  return own(db)
    .selectFrom('message_channel')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

/** A channel by its id; undefined if it has been removed. */
export async function findChannel(db: DbOrTx, id: bigint): Promise<ChannelRecord | undefined> {
  return own(db).selectFrom('message_channel').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Follows a Telegram group that has become a supergroup, which has another id. */
export async function moveChat(db: Db, { from, to }: { from: string; to: string }): Promise<void> {
  await own(db)
    .updateTable('message_channel')
    .set({ address: to })
    .where('kind', '=', 'telegram')
    .where('address', '=', from)
    .execute()
}

type NewChannel = Pick<ChannelRecord, 'user_id' | 'kind' | 'address' | 'label'> &
  Partial<Pick<ChannelRecord, 'push_key' | 'push_secret'>> & { at: Date; isConfirmed: boolean }

/** Adds a channel. @returns its id */
export async function insertChannel(tx: Tx, channel: NewChannel): Promise<bigint> {
  const { at, isConfirmed, push_key = null, push_secret = null, ...rest } = channel
  const { id } = await own(tx)
    .insertInto('message_channel')
    .values({
      ...rest,
      ...{ push_key, push_secret, created_at: at, ended_at: null, problem: null },
      confirmed_at: isConfirmed ? at : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Confirms an e-mail address. Safe to repeat. */
export async function confirmChannel(tx: Tx, { id, at }: { id: bigint; at: Date }): Promise<void> {
  await own(tx)
    .updateTable('message_channel')
    .set({ confirmed_at: at })
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .execute()
}

/** Ends a channel whose receiver rejects messages permanently. Nothing more is sent, and its holder sees why. */
export async function endChannel(
  tx: Tx,
  { id, at, problem }: { id: bigint; at: Date; problem: EmailProblem | null },
): Promise<void> {
  await own(tx)
    .updateTable('message_channel')
    .set({ ended_at: at, problem })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}

/**
 * Removes a holder's channels: all of them, those of one kind, or one. Pending messages to them are not sent.
 * @returns how many were removed
 */
export async function removeChannels(
  tx: Tx,
  which: { userId: bigint; kind?: MessageChannel; id?: bigint },
): Promise<number> {
  const { userId, kind, id } = which
  const removed = await own(tx)
    .deleteFrom('message_channel')
    .where('user_id', '=', userId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'push'))
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0n))
    .executeTakeFirst()
  return Number(removed.numDeletedRows)
}

/** Deletes the channels, tokens and known devices of a removed holder. */
export async function forgetHolder(tx: Tx, userId: bigint): Promise<void> {
  await removeChannels(tx, { userId })
  await own(tx).deleteFrom('message_token').where('user_id', '=', userId).execute()
  await own(tx).deleteFrom('known_device').where('user_id', '=', userId).execute()
}

/**
 * Replaces a browser's subscription, and resumes sending to it if it had ended. If somebody has already subscribed with
 * the new one, the former one is only removed.
 * @returns the id of the browser's channel; undefined if the former subscription is unknown, or its secret is wrong
 */
export async function replaceBrowser(
  tx: Tx,
  { former, renewed }: PushRenewalBody,
): Promise<bigint | undefined> {
  const found = await own(tx)
    .selectFrom('message_channel')
    .select('id')
    .where('kind', '=', 'push')
    .where('address', '=', former.endpoint)
    .where('push_secret', '=', former.keys.auth)
    .forUpdate()
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { endpoint: address, keys } = renewed
  const existing = await own(tx)
    .selectFrom('message_channel')
    .select('id')
    .where('kind', '=', 'push')
    .where('address', '=', address)
    .where('id', '<>', found.id)
    .executeTakeFirst()
  if (existing !== undefined) {
    await removeBrowser(tx, former.endpoint)
    return existing.id
  }
  await own(tx)
    .updateTable('message_channel')
    .set({ address, push_key: keys.p256dh, push_secret: keys.auth, ended_at: null })
    .where('id', '=', found.id)
    .execute()
  return found.id
}

/** Removes a browser's subscription, whoever owns it, because whoever subscribes there next takes the browser over. */
export async function removeBrowser(tx: Tx, endpoint: string): Promise<void> {
  await own(tx)
    .deleteFrom('message_channel')
    .where('kind', '=', 'push')
    .where('address', '=', endpoint)
    .execute()
}
