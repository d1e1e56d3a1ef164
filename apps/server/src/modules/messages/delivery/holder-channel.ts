import type { Asset } from '@dct/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/db.ts'
import type { HolderChannel } from '../../../platform/database/platform.tables.ts'
import { NotWanted, type PersonalChannel } from '../../../platform/outbox/channels/channel.ts'
import type { Message } from '../../../platform/outbox/message.ts'
import { type ChannelRecord, endChannel, findChannel } from '../channels.queries.ts'
import { languageOf, refusalsOf } from '../choices.ts'
import { kindOf, type SentKind } from '../holder-message.ts'
import { emailProblemOf } from './email-problem.ts'
import { type Reader, type Rendered, render } from './render.ts'

export type HolderChannelDeps = {
  db: Db
  realClock: Clock
  /** The site's name and address. */
  site: { brand: string; origin: string }
  decimals: Readonly<Record<Asset, number>>
}

/** One message to one receiver, ready to be sent. */
export type Letter = Rendered & {
  id: string
  kind: SentKind
  language: Reader['language']
  to: ChannelRecord
}

/** A channel to holders: looks up the receiver and the language, renders the message, and passes it to `send`. */
export function createHolderChannel(
  { db, realClock, decimals }: HolderChannelDeps,
  way: { kind: HolderChannel; atOnce: number; send(letter: Letter): Promise<void> },
): PersonalChannel {
  return {
    kind: way.kind,
    atOnce: way.atOnce,
    async send(message: Message, receiver: string) {
      const to = await findChannel(db, BigInt(receiver))
      const kind = kindOf(message)
      if (to === undefined || !accepts(to, kind)) throw new NotWanted()
      const refusals = await refusalsOf(db, to.user_id)
      if (refusals.has(`${kind} ${to.kind}`)) throw new NotWanted()
      const language = await languageOf(db, to.user_id)
      const text = render({ kind, data: message.data }, { language, decimals })
      await way.send({ ...text, id: message.id, kind, language, to })
    },
    async end(tx, receiver, error) {
      const problem = emailProblemOf(error)
      await endChannel(tx, { id: BigInt(receiver), at: realClock.now(), problem })
    },
  }
}

/** An unconfirmed address receives only the confirmation. */
function accepts({ confirmed_at, ended_at }: ChannelRecord, kind: SentKind): boolean {
  return ended_at === null && (confirmed_at !== null) === (kind !== 'confirm_email')
}
