import { type Clock, DAY_MS, latestPossible, msSince, realClock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { own } from './audit.tables.ts'
import { exitCodeOf } from './exit-code.ts'
import { type AuditDeps, runAudit } from './run-audit.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * Runs the quick audit every hour and the full one every day, in real time, and either one on request.
 * Safe to run in several processes.
 */
export function createAuditLoop(deps: AuditDeps & { log: Logger; real?: Clock }): Loop {
  return {
    name: 'audit',
    mayTakeMs: 60 * MINUTE_MS,
    // The audit waits for the watchers.
    isDrained: false,
    async step() {
      const now = (deps.real ?? realClock).now()
      const last = await own(deps.db)
        .selectFrom('audit_run')
        .select(['is_full', (eb) => eb.fn.max('started_at').as('at')])
        .where('started_at', '<=', latestPossible(now))
        .groupBy('is_full')
        .execute()
      const sinceLast = (isFull: boolean) =>
        msSince(last.find((run) => run.is_full === isFull)?.at, now)
      const asked = await own(deps.db)
        .selectFrom('audit_request')
        .select(['is_full', 'asked_at'])
        .executeTakeFirst()
      const isFullDue = sinceLast(true) >= DAY_MS || asked?.is_full === true
      const isDue = Math.min(sinceLast(true), sinceLast(false)) >= HOUR_MS || asked !== undefined
      if (!isDue && !isFullDue) return true
      const report = await runAudit(deps, { full: isFullDue })
      // Only now, so that a request survives a failed audit; one made during the audit remains.
      if (asked !== undefined) {
        await own(deps.db)
          .deleteFrom('audit_request')
          .where('asked_at', '=', asked.asked_at)
          .execute()
      }
      const { differences, isFull } = report
      if (differences > 0) deps.log.error({ differences, isFull }, 'auditFoundDifferences')
      else if (exitCodeOf(report) === 0) deps.log.info({ isFull }, 'auditPassed')
      else deps.log.warn({ isFull }, 'auditIncomplete')
      return true
    },
  }
}
