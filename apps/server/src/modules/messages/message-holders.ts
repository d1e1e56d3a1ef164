import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import type { Receiver } from '../../platform/database/platform.tables.ts'
import { writeMessages } from '../../platform/outbox/write-messages.ts'
import { receiverOf } from './channels.queries.ts'
import { type HolderMessage, typeOf } from './holder-message.ts'
import { own } from './messages.tables.ts'

/**
 * Writes messages to holders, in the transaction that books the facts, for the channels that they have chosen. Nothing
 * is written for holders without a channel. A repeated key changes nothing.
 */
export async function messageHolders(tx: Tx, messages: readonly HolderMessage[]): Promise<void> {
  if (messages.length === 0) return
  const channels = await liveChannels(tx, [...new Set(messages.map(({ userId }) => userId))])
  if (channels.length === 0) return
  await writeMessages(
    tx,
    messages.flatMap(({ userId, kind, facts, key, at }) => {
      const receivers = channels
        .filter((channel) => channel.user_id === userId && !channel.refused.includes(kind))
        .map((channel): Receiver => receiverOf(channel))
      const data = { user_id: `${userId}`, ...facts }
      return receivers.length === 0 ? [] : [{ type: typeOf(kind), key, data, receivers, at }]
    }),
  )
}

/** The active channels, each with the kinds that its holder has opted out of there. */
async function liveChannels(db: DbOrTx, userIds: readonly bigint[]) {
  return own(db)
    .selectFrom('message_channel as c')
    .select(['c.id', 'c.kind', 'c.user_id'])
    .select(({ selectFrom, fn }) =>
      fn
        .coalesce(
          selectFrom('message_refusal as r')
            .select(({ fn: of }) => of<string[]>('array_agg', ['r.kind']).as('kinds'))
            .whereRef('r.user_id', '=', 'c.user_id')
            .whereRef('r.channel', '=', 'c.kind'),
          sql<string[]>`'{}'`,
        )
        .as('refused'),
    )
    .where('c.user_id', 'in', userIds)
    .where('c.confirmed_at', 'is not', null)
    .where('c.ended_at', 'is', null)
    .execute()
}
