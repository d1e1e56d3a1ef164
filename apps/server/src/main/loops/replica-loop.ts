import { reportTroubles } from '../../platform/alarms/found-troubles.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { MAX_AGE_MS, type Replica } from '../../platform/replica/replica.ts'

const PAUSE_MS = 5_000

type Deps = { db: Db; realClock: Clock; replica: Pick<Replica, 'probe' | 'reports'> }

/** Follows how old the replica's data is, and raises an alarm while it has not been fresh enough for over a minute. */
export function createReplicaLoop({ replica, ...deps }: Deps): Loop {
  let usedAt = deps.realClock.now()
  return {
    name: 'replica',
    pauseMs: PAUSE_MS,
    async step() {
      await replica.probe()
      if (replica.reports() !== undefined) usedAt = deps.realClock.now()
      const isUnused = deps.realClock.now().getTime() - usedAt.getTime() > MAX_AGE_MS
      await reportTroubles(deps, { kinds: [UNUSED.kind], found: isUnused ? [UNUSED] : [] })
      return true
    },
  }
}

const UNUSED = {
  kind: 'replica.unused',
  subject: 'DATABASE_READ_URL',
  message:
    'For over a minute the replica was down, no copy of the primary, or over a minute behind it. The primary answers its reads.',
} as const
