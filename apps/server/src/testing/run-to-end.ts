import { setTimeout as sleep } from 'node:timers/promises'
import { NodeThrottled } from '@dct/chain-clients'
import type { Loop } from '../platform/loops/loop.ts'
import { bscWatcherOf, tronWatcherOf } from './payment-watchers.ts'
import type { SenderWorld } from './senders.ts'

/** Steps a sender, produces blocks and reads the payments, until nothing is left to do. */
export async function runToEnd(world: SenderWorld, sender: Loop): Promise<void> {
  for (let idle = 0, rounds = 0; idle < 2; rounds += 1) {
    if (rounds > 60) throw new Error(`${sender.name} never becomes idle`)
    idle = (await stepAfterPauses(sender)) ? idle + 1 : 0
    await world.chains.control.finalize()
    const watcher = sender.name === 'tron-sender' ? tronWatcherOf(world) : bscWatcherOf(world)
    await watcher.catchUp()
  }
}

/** Runs a step; if a node throttles it, waits for as long as the node requires and reports that work is left. */
async function stepAfterPauses(sender: Loop): Promise<boolean> {
  try {
    return await sender.step()
  } catch (error) {
    if (!(error instanceof NodeThrottled)) throw error
    await sleep(error.retryAfterMs)
    return false
  }
}
