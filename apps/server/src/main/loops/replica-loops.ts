import { reportTroubles } from '../../platform/alarms/found-troubles.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import type { Replica } from '../../platform/replica/replica.ts'

const PROBE_PAUSE_MS = 1_000
const ALARM_PAUSE_MS = 15_000
/** A replica that restarts or is busy for less than this raises no alarm. */
const UNUSED_MS = 60_000

type Deps = { db: Db; realClock: Clock; replica: Pick<Replica, 'probe' | 'isUsable'> }

/** Loops that track how far behind the replica is, and raise an alarm while it has been unusable for over a minute. */
export function replicaLoops({ replica, ...deps }: Deps): Loop[] {
  let usedAt = deps.realClock.now()
  const probe = async () => {
    await replica.probe()
    if (replica.isUsable()) usedAt = deps.realClock.now()
    return true
  }
  const report = async () => {
    const isUnused = deps.realClock.now().getTime() - usedAt.getTime() > UNUSED_MS
    await reportTroubles(deps, { kinds: [UNUSED.kind], found: isUnused ? [UNUSED] : [] })
    return true
  }
  return [
    { name: 'replica', isDrained: false, pauseMs: PROBE_PAUSE_MS, step: probe },
    { name: 'replica alarm', isDrained: false, pauseMs: ALARM_PAUSE_MS, step: report },
  ]
}

const UNUSED = {
  kind: 'replica.unused',
  subject: 'DATABASE_READ_URL',
  message:
    'For over a minute the replica was down, no copy of the primary, or further behind than READ_MAX_AGE_SECONDS allows. The primary answers its reads.',
} as const
