import { createPaceOf } from '../clock.ts'
import type { Loop } from '../loops/loop.ts'
import type { Channel } from './channels/channel.ts'
import type { DeliverDeps } from './deliver.ts'
import { dispatchMessages } from './dispatch-messages.ts'
import { createLanes } from './lanes.ts'
import { remindOfAlarms } from './remind-of-alarms.ts'
import { tidyOutbox } from './tidy-outbox.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export type OutboxDeps = DeliverDeps & {
  channels: readonly Channel[]
  isTimeTrusted(): boolean
}

/** Hands messages to the channels and sends them, each channel at its own pace. Several processes may run it. */
export function createOutboxLoop(deps: OutboxDeps): Loop {
  const { db, realClock, channels, isTimeTrusted } = deps
  const lanes = createLanes(deps, channels)
  const isReminderDue = createPaceOf(realClock, MINUTE_MS)
  const isTidyingDue = createPaceOf(realClock, HOUR_MS)
  return {
    name: 'outbox',
    // External receivers decide how long it takes.
    isDrained: false,
    // Somebody has to learn that the clock is wrong.
    runsAtAnyTime: true,
    async step() {
      const now = realClock.now()
      if (isTimeTrusted()) {
        if (channels.length > 0 && isReminderDue()) await remindOfAlarms(db, now)
        if (isTidyingDue()) await tidyOutbox(db, now)
      }
      const hadMessages = await dispatchMessages(db, { ...deps, now })
      const isIdle = await lanes.step()
      return isIdle && !hadMessages
    },
    settled: lanes.settled,
  }
}
