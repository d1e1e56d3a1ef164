import type { Clock } from '../../../platform/clock.ts'
import { type Db, inTransaction } from '../../../platform/database/db.ts'
import type { Loop } from '../../../platform/loops/loop.ts'
import type { PersonalChannel } from '../../../platform/outbox/channels/channel.ts'
import { type DeliverDeps, deliverDue } from '../../../platform/outbox/deliver.ts'
import { clearTokens } from '../tokens.ts'

const HOUR_MS = 3_600_000

/**
 * Sends holders' messages, several per channel at a time. Separate from the loop that sends alarms, which must not wait
 * for these. Several may run at the same time.
 */
export function createHolderLoop(
  deps: DeliverDeps & { db: Db; realClock: Clock; channels: readonly PersonalChannel[] },
): Loop {
  let nextCleanupAt = 0
  return {
    name: 'holder messages',
    // External receivers determine how long it takes.
    isDrained: false,
    async step() {
      const now = deps.realClock.now()
      if (now.getTime() >= nextCleanupAt) {
        nextCleanupAt = now.getTime() + HOUR_MS
        await inTransaction(deps.db, (tx) => clearTokens(tx, now))
      }
      const sent = await Promise.all(
        deps.channels.map((channel) => deliverDue(deps, channel, channel.atOnce)),
      )
      return !sent.includes(true)
    },
  }
}
