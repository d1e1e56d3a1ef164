/**
 * The Tron watcher as a separate process, without its usual pauses: it reads and books until its parent disconnects,
 * and reports each range that it has booked to the parent.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createChains } from '../apps/server/src/main/chains/chains.ts'
import { watchedChains } from '../apps/server/src/main/chains/streams.ts'
import { readConfig } from '../apps/server/src/main/config.ts'
import type { Context } from '../apps/server/src/main/context.ts'
import { createWatcher } from '../apps/server/src/modules/chain/index.ts'
import { openDatabase } from '../apps/server/src/platform/database/db.ts'
import { createLogger } from '../apps/server/src/platform/logger.ts'
import { everything } from '../apps/server/src/testing/all-tables.ts'
import { ManualClock } from '../apps/server/src/testing/manual-clock.ts'

export type WatcherOrder = { settings: Readonly<Record<string, string>>; now: Date }
/** Reports that blocks have been booked, up to and including `block`. */
export type Booked = {
  block: number
  residentBytes: number
  heapBytes: number
  processorUs: number
}

/** A live watcher pauses for longer: see `LOOK_PAUSE_MS`. */
const POLL_MS = 50

process.once('message', ({ settings, now }: WatcherOrder) => void watch(settings, now))
process.once('disconnect', () => process.exit())

async function watch(settings: WatcherOrder['settings'], now: Date): Promise<void> {
  const config = readConfig(settings)
  const db = openDatabase({ url: config.databaseUrl, maxConnections: 20 })
  // Only the part of a process's context that streams use: creating all of it makes requests that the stand-in node
  // does not support.
  const context = {
    db,
    config,
    chains: createChains(config),
    clock: new ManualClock(now),
    dctDecimals: 6,
  }
  const [tron] = watchedChains(context as unknown as Context)
  if (tron === undefined) throw new Error('no chain is watched')
  const { step } = createWatcher({ ...tron, log: createLogger(config.logLevel) })
  let last = -1
  while (true) {
    await step()
    const cursor = await everything(db)
      .selectFrom('chain_cursor')
      .select('block_number')
      .where('chain', '=', 'TRON')
      .executeTakeFirst()
    const block = Number(cursor?.block_number ?? 0)
    if (block === last) await pause(POLL_MS)
    else process.send?.(bookedThrough(block))
    last = block
  }
}

function bookedThrough(block: number): Booked {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return { block, residentBytes: rss, heapBytes: heapUsed, processorUs: user + system }
}
