import { clearAlarm, raiseAlarm } from '../../platform/alarms.ts'
import { type Clock, realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/db.ts'
import type { Loop } from '../../platform/loop.ts'
import { chainFactsOf } from '../chain/index.ts'
import { noteAvailability } from './availability.ts'
import { type RunDistributionDeps, runNextDistribution } from './run-distribution.ts'

export type DistributorDeps = RunDistributionDeps & {
  clock: Clock
  /** Real time; left out: the machine's. */
  real?: Clock
  /**
   * How far the clock and the newest final Tron block may be apart, in ms; beyond it nothing is credited. Null where
   * the clock is moved by hand.
   */
  maxClockSkewMs: number | null
}

const NOTE_EVERY_MS = 60_000

/** Credits the cycles that are due, day by day and plan by plan, and catches up what was missed. */
export function createDistributor(deps: DistributorDeps): Loop {
  return {
    name: 'distributor',
    async step() {
      const now = deps.clock.now()
      if (!(await isClockTrusted(deps, now))) return true
      const realNow = (deps.real ?? realClock).now()
      return !(await runNextDistribution(deps, { now, realNow }))
    },
  }
}

/** Notes every minute whether holders can claim, so that days on which they could not are excused. */
export function createAvailabilityLoop(deps: DistributorDeps): Loop {
  let notedAtMs = Number.NEGATIVE_INFINITY
  return {
    name: 'availability',
    async step() {
      const now = deps.clock.now()
      const realNow = (deps.real ?? realClock).now()
      if (realNow.getTime() - notedAtMs < NOTE_EVERY_MS) return true
      await inTransaction(deps.db, async (tx) => {
        const isOpen = await deps.areClaimsOpen(tx, now)
        await noteAvailability(tx, { now, realNow, isOpen })
      })
      notedAtMs = realNow.getTime()
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
  const alarm = { kind: 'clock_skew', subject: 'TRON', at: now }
  if (skewMs <= deps.maxClockSkewMs) {
    await clearAlarm(deps.db, alarm)
    return true
  }
  const message =
    'The clock and the newest final block are too far apart. No reward is credited until they agree.'
  await raiseAlarm(deps.db, { ...alarm, message })
  return false
}
