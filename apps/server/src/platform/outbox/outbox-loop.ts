import type { Loop } from '../loops/loop.ts'
import type { Channel } from './channels/channel.ts'
import type { DeliverDeps } from './deliver.ts'
import { dispatchMessages } from './dispatch-messages.ts'
import { createLanes } from './lanes.ts'
import type { QuietHours } from './quiet-hours.ts'
import { remindOfAlarms } from './remind-of-alarms.ts'
import { tidyOutbox } from './tidy-outbox.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export type OutboxDeps = DeliverDeps & {
  channels: readonly Channel[]
  /** Milliseconds between two reminders of an open alarm; 0 for none. */
  repeatMs: number
  quietHours: QuietHours | undefined
}

/** Hands messages to the channels and sends them, each channel at its own pace. Several processes may run it. */
export function createOutboxLoop(deps: OutboxDeps): Loop {
  const { db, realClock, channels } = deps
  const lanes = createLanes(deps, channels)
  let nextReminderAt = 0
  let nextTidyingAt = 0
  return {
    name: 'outbox',
    // External receivers decide how long it takes.
    isDrained: false,
    async step() {
      const now = realClock.now()
      if (channels.length > 0 && now.getTime() >= nextReminderAt) {
        nextReminderAt = now.getTime() + MINUTE_MS
        await remindOfAlarms(db, { ...deps, now })
      }
      if (now.getTime() >= nextTidyingAt) {
        nextTidyingAt = now.getTime() + HOUR_MS
        await tidyOutbox(db, now)
      }
      const hadMessages = await dispatchMessages(db, { ...deps, now })
      const isIdle = await lanes.step()
      return isIdle && !hadMessages
    },
    settled: lanes.settled,
  }
}
