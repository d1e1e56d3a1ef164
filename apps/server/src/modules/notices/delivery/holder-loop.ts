import type { Clock } from '../../../platform/clock.ts'
import { type Db, inTransaction } from '../../../platform/db.ts'
import type { Loop } from '../../../platform/loop.ts'
import type { PersonalChannel } from '../../../platform/outbox/channels/channel.ts'
import { type DeliverDeps, deliverDue } from '../../../platform/outbox/deliver.ts'
import { clearTokens } from '../tokens.ts'

const HOUR_MS = 3_600_000

/** Sends holders' messages, several of each channel at a time, apart from alarms, which must not wait for them. Several may run. */
export function createHolderLoop(
  deps: DeliverDeps & { db: Db; realClock: Clock; channels: readonly PersonalChannel[] },
): Loop {
  let nextTidyingAt = 0
  return {
    name: 'holder messages',
    // Receivers outside decide how long it takes.
    isDrained: false,
    async step() {
      const now = deps.realClock.now()
      if (now.getTime() >= nextTidyingAt) {
        nextTidyingAt = now.getTime() + HOUR_MS
        await inTransaction(deps.db, (tx) => clearTokens(tx, now))
      }
      const sent = await Promise.all(
        deps.channels.map((channel) => deliverDue(deps, channel, channel.atOnce)),
      )
      return !sent.includes(true)
    },
  }
}
