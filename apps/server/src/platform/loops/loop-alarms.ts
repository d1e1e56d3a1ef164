import { NodeUnavailable } from '@dct/chain-clients'
import { reportTroubles } from '../alarms/found-troubles.ts'
import type { Clock } from '../clock.ts'
import { type Db, isOutage } from '../database/db.ts'
import type { Loop, LoopState } from './loop.ts'

const CHECKED_EVERY_MS = 10_000
/** A loop that fails at every attempt for this long is in trouble, however long its attempts take. */
const TROUBLE_AFTER_MS = 30_000

const KIND = 'loop.stuck'

type Deps = { db: Db; realClock: Clock; status(): LoopState[]; host: string }

/**
 * Raises an alarm for each loop of this process that is stuck in a step or keeps failing, and ends it when the loop goes
 * on. A loop that waits for the database or a node is not reported: they have alarms of their own.
 */
export function createLoopAlarms({ status, host, ...deps }: Deps): Loop {
  return {
    name: 'loop alarms',
    isDrained: false,
    runsAtAnyTime: true,
    pauseMs: CHECKED_EVERY_MS,
    async step() {
      const found = status().flatMap((loop) => {
        const message = troubleOf(loop)
        const subject = `${host}: ${loop.name}`
        return message === undefined ? [] : [{ kind: KIND, subject, message } as const]
      })
      await reportTroubles(deps, { kinds: [KIND], found })
      return true
    },
  }
}

function troubleOf({ busyMs, mayTakeMs, failures, failingMs, error, lastError }: LoopState) {
  if (busyMs !== null && busyMs > mayTakeMs) {
    return `It has been stuck in one step for ${Math.round(busyMs / 1_000)} seconds.`
  }
  const isNamedElsewhere = error instanceof NodeUnavailable || isOutage(error)
  const isFailing = failures > 1 && (failingMs ?? 0) >= TROUBLE_AFTER_MS
  if (!isFailing || isNamedElsewhere) return undefined
  return `It keeps failing: ${lastError}`
}
