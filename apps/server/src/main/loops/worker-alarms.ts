import { reportTroubles } from '../../platform/alarms/found-troubles.ts'
import type { Clock } from '../../platform/clock.ts'
import { unreachableWorkers } from '../../platform/database/cluster.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Loop } from '../../platform/loops/loop.ts'

const PAUSE_MS = 10_000
/** A worker that restarts within this time raises no alarm. */
const PATIENCE_MS = 60_000
const KIND = 'database.worker'

type Deps = { db: Db; realClock: Clock; findSilent?: typeof unreachableWorkers }

/**
 * Raises an alarm for each worker of a Citus cluster that the coordinator has not reached for over a minute. A database
 * that is no cluster is asked once: only `migrate` makes it one, while nothing runs.
 */
export function createWorkerAlarms({ findSilent = unreachableWorkers, ...deps }: Deps): Loop {
  let isCluster = true
  let silentSince = new Map<string, number>()
  return {
    name: 'workers',
    pauseMs: PAUSE_MS,
    async step() {
      if (!isCluster) return true
      const now = deps.realClock.now().getTime()
      const workers = await findSilent(deps.db)
      isCluster = workers !== undefined
      const silent = workers ?? []
      silentSince = new Map(silent.map((address) => [address, silentSince.get(address) ?? now]))
      const lost = silent.filter((one) => now - (silentSince.get(one) ?? now) > PATIENCE_MS)
      const found = lost.map((subject) => ({ kind: KIND, subject, message: MESSAGE }) as const)
      await reportTroubles(deps, { kinds: [KIND], found })
      return true
    },
  }
}

const MESSAGE =
  'For over a minute the coordinator has not reached this worker of the Citus cluster. Nothing is booked and nothing is lost until it is back.'
