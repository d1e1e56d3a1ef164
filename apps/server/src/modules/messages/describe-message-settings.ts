import {
  HOLDER_MESSAGES,
  MESSAGE_KINDS,
  type MessageSettingsReply,
} from '@dct/api-contract/messages'
import type { DbOrTx } from '../../platform/database/db.ts'
import { getUser } from '../auth/index.ts'
import { type ChannelRecord, channelsOf } from './channels.queries.ts'
import { languageOf, refusalsOf } from './choices.ts'

/** A holder's channels and choices. */
export async function describeMessageSettings(
  db: DbOrTx,
  input: {
    userId: bigint
    offered: MessageSettingsReply['offered']
    pushKey: string | null
  },
): Promise<MessageSettingsReply> {
  const { userId, offered, pushKey } = input
  const channels = await channelsOf(db, userId)
  const refusals = await refusalsOf(db, userId)
  const of = (kind: ChannelRecord['kind']) => channels.filter((channel) => channel.kind === kind)
  const [email] = of('email')
  const [telegram] = of('telegram')
  return {
    language: await languageOf(db, userId),
    offered,
    push_key: pushKey,
    registered_email: (await getUser(db, userId))?.email ?? null,
    email:
      email === undefined
        ? null
        : { address: email.address, state: emailState(email), problem: email.problem },
    telegram:
      telegram === undefined
        ? null
        : { name: telegram.label, state: telegram.ended_at === null ? 'linked' : 'ended' },
    push: of('push').map(({ id, address, label, ended_at, created_at }) => ({
      ...{ id: `${id}`, endpoint: address, device: label, created_at: created_at.toISOString() },
      state: ended_at === null ? 'subscribed' : 'ended',
    })),
    choices: MESSAGE_KINDS.map((kind) => ({
      kind,
      is_about_money: HOLDER_MESSAGES[kind].isAboutMoney,
      email: !refusals.has(`${kind} email`),
      telegram: !refusals.has(`${kind} telegram`),
      push: !refusals.has(`${kind} push`),
    })),
  }
}

function emailState({ confirmed_at, ended_at }: ChannelRecord) {
  if (ended_at !== null) return 'ended'
  return confirmed_at === null ? 'unconfirmed' : 'confirmed'
}
