import { type AnyChannel, type DeliverDeps, deliver } from './deliver.ts'
import { createLaneStanding } from './lane-standing.ts'
import { takeDue } from './take-due.ts'

/** How long a step waits for messages that are on their way, before it looks for others. */
const PAUSE_MS = 250

/** Sends the messages of some channels, each channel and each receiver at its own pace. */
export type Lanes = {
  /**
   * Starts to send what is due and waits until some of it has been sent, but never for a slow receiver.
   * @returns whether nothing is due or on its way
   */
  step(): Promise<boolean>
  /** Resolves when nothing is on its way any more. */
  settled(): Promise<void>
}

export function createLanes(deps: DeliverDeps, channels: readonly AnyChannel[]): Lanes {
  const lanes = channels.map((channel) => createLane(deps, channel))
  const onTheirWay = () => lanes.flatMap((lane) => lane.onTheirWay())
  return {
    async step() {
      const started = await Promise.all(lanes.map((lane) => lane.start()))
      const sending = onTheirWay()
      if (sending.length === 0) return !started.includes(true)
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, PAUSE_MS)
      await Promise.race([...sending, late.promise])
      clearTimeout(timer)
      return false
    },
    async settled() {
      await Promise.all(onTheirWay())
    },
  }
}

function createLane(deps: DeliverDeps, channel: AnyChannel) {
  const standing = createLaneStanding()
  const sending = new Map<string, Promise<void>>()
  const receiver = 'receiver' in channel ? channel.receiver : undefined
  const atOnce = 'atOnce' in channel ? channel.atOnce : 1
  return {
    onTheirWay: () => [...sending.values()],
    /** @returns whether anything was due */
    async start(): Promise<boolean> {
      const limit = (standing.isSilent() ? 1 : atOnce) - sending.size
      if (limit <= 0) return true
      const now = deps.realClock.now()
      const busy = [...sending.keys()]
      const taken = await takeDue(deps.db, { kind: channel.kind, receiver, busy, limit, now })
      for (const one of taken) {
        const sent = deliver(deps, { channel, standing }, one)
          // It stays pending, and is due again when its lease ends.
          .catch((err) => deps.log.warn({ err, channel: channel.kind }, 'deliveryNotRecorded'))
          .finally(() => sending.delete(one.receiver))
        sending.set(one.receiver, sent)
      }
      return taken.length > 0
    },
  }
}
