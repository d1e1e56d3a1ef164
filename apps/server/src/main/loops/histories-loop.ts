import { reportTroubles } from '../../platform/alarms/found-troubles.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import { unreachableWorkers } from '../../platform/database/distributed-tables.ts'
import type { Loop } from '../../platform/loops/loop.ts'

const POLL_PAUSE_MS = 15_000
/** A worker that restarts within this time raises no alarm. */
const GONE_MS = 60_000

type Deps = { db: Db; realClock: Clock; findSilent?: typeof unreachableWorkers }

/** Raises an alarm for each worker of the Citus cluster that has been unreachable for over a minute. */
export function createHistoriesLoop({ findSilent = unreachableWorkers, ...deps }: Deps): Loop {
  const silentSince = new Map<string, Date>()
  return {
    name: 'histories',
    isDrained: false,
    pauseMs: POLL_PAUSE_MS,
    async step() {
      const now = deps.realClock.now()
      const silent = new Set(await findSilent(deps.db))
      for (const address of silentSince.keys()) {
        if (!silent.has(address)) silentSince.delete(address)
      }
      for (const address of silent) silentSince.set(address, silentSince.get(address) ?? now)
      const found = [...silentSince].flatMap(([address, since]) =>
        now.getTime() - since.getTime() > GONE_MS ? [unreachable(address)] : [],
      )
      await reportTroubles(deps, { kinds: ['histories.unreachable'], found })
      return true
    },
  }
}

const unreachable = (address: string) =>
  ({
    kind: 'histories.unreachable',
    subject: address,
    message:
      'For over a minute the coordinator has not reached this worker of the Citus cluster. The daily run, claims and pages that show rewards wait for it; nothing is lost.',
  }) as const
