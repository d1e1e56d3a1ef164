import { type Clock, createPaceOf } from '../../../platform/clock.ts'
import { type Db, inTransaction } from '../../../platform/database/db.ts'
import type { Loop } from '../../../platform/loops/loop.ts'
import type { PersonalChannel } from '../../../platform/outbox/channels/channel.ts'
import type { DeliverDeps } from '../../../platform/outbox/deliver.ts'
import { createLanes } from '../../../platform/outbox/lanes.ts'
import { clearTokens } from '../tokens.ts'

const HOUR_MS = 3_600_000

/** Sends holders' messages, several per channel at a time. Several may run at the same time. */
export function createHolderLoop(
  deps: DeliverDeps & { db: Db; realClock: Clock; channels: readonly PersonalChannel[] },
): Loop {
  const lanes = createLanes(deps, deps.channels)
  const isCleanupDue = createPaceOf(deps.realClock, HOUR_MS)
  return {
    name: 'holder messages',
    // External receivers determine how long it takes.
    isDrained: false,
    async step() {
      if (isCleanupDue()) {
        const now = deps.realClock.now()
        await inTransaction(deps.db, (tx) => clearTokens(tx, now))
      }
      return lanes.step()
    },
    settled: lanes.settled,
  }
}
