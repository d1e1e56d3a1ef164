import { clearAlarm, raiseAlarm } from '../../../platform/alarms/alarms.ts'
import { type Clock, msSince, realClock } from '../../../platform/clock.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import type { Loop } from '../../../platform/loops/loop.ts'
import { chainFactsOf } from '../../chain/index.ts'
import { recordAvailability } from './availability.ts'
import { type RunDistributionDeps, runNextDistribution } from './run-distribution.ts'

export type DistributorDeps = RunDistributionDeps & {
  clock: Clock
  /** Real time; defaults to the machine's clock. */
  real?: Clock
  /**
   * The maximum difference in ms between the clock and the latest final Tron block; beyond it nothing is credited. Null
   * where the clock can be moved on purpose.
   */
  maxClockSkewMs: number | null
}

const NOTE_EVERY_MS = 60_000
/** One day of the largest plans takes minutes. */
const LONGEST_DAY_MS = 30 * 60_000

/** Credits the cycles that are due, one day of one plan at a time, and catches up on missed days. */
export function createDistributor(deps: DistributorDeps): Loop {
  return {
    name: 'distributor',
    mayTakeMs: LONGEST_DAY_MS,
    async step() {
      const now = deps.clock.now()
      if (!(await isClockTrusted(deps, now))) return true
      const realNow = (deps.real ?? realClock).now()
      return !(await runNextDistribution(deps, { now, realNow }))
    },
  }
}

/**
 * Records every minute whether holders can claim, so that days on which they could not are exempt. It belongs in the
 * processes that answer them.
 */
export function createAvailabilityLoop(deps: Omit<DistributorDeps, 'maxClockSkewMs'>): Loop {
  let recordedAt: Date | undefined
  return {
    name: 'availability',
    async step() {
      const now = deps.clock.now()
      const realNow = (deps.real ?? realClock).now()
      if (msSince(recordedAt, realNow) < NOTE_EVERY_MS) return true
      await inTransaction(deps.db, async (tx) => {
        const isOpen = await deps.areClaimsOpen(tx, now)
        await recordAvailability(tx, { now, realNow, isOpen })
      })
      recordedAt = realNow
      return true
    },
  }
}

async function isClockTrusted(deps: DistributorDeps, now: Date): Promise<boolean> {
  if (deps.maxClockSkewMs === null) return true
  const facts = await chainFactsOf(deps.db, 'TRON')
  const skewMs =
    facts === undefined
      ? Number.POSITIVE_INFINITY
      : Math.abs(now.getTime() - facts.finalTime.getTime())
  const alarm = { kind: 'clock_skew', subject: 'TRON', at: now } as const
  if (skewMs <= deps.maxClockSkewMs) {
    await clearAlarm(deps.db, alarm)
    return true
  }
  const message =
    'The clock and the latest final block are too far apart. No reward is credited until they agree.'
  await raiseAlarm(deps.db, { ...alarm, message })
  return false
}
