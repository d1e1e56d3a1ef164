import { hostname } from 'node:os'
import { cleanText } from '@dct/rules/clean-text'
import { type Clock, DAY_MS, msSince } from '../clock.ts'
import { type Db, inTransaction } from '../database/db.ts'
import { own } from '../database/platform.tables.ts'
import type { Loop, LoopStatus } from './loop.ts'

const REPORT_EVERY_MS = 5_000
/** A process that has not reported for this long is stuck or gone. */
const SILENT_AFTER_MS = 60_000
const MAX_ERROR_LENGTH = 1_000

export type ReportDeps = {
  db: Db
  realClock: Clock
  status(): LoopStatus[]
  /** Identifies where this process runs; a process restarted there takes over its reports. */
  host?: string
}

/** Stores the state of this process's loops, so that other processes can show it. */
export function createReportLoop({ db, realClock, status, host = hostname() }: ReportDeps): Loop {
  return {
    name: 'reports',
    runsAtAnyTime: true,
    pauseMs: REPORT_EVERY_MS,
    async step() {
      const now = realClock.now()
      const rows = status().map((loop) => ({
        host,
        name: loop.name,
        is_idle: loop.isIdle,
        failures: loop.failures,
        last_error: loop.lastError === null ? null : cleanText(loop.lastError, MAX_ERROR_LENGTH),
        reported_at: now,
      }))
      await inTransaction(db, async (tx) => {
        const gone = new Date(now.getTime() - DAY_MS)
        await own(tx).deleteFrom('loop_report').where('reported_at', '<', gone).execute()
        if (rows.length === 0) return
        await own(tx)
          .insertInto('loop_report')
          .values(rows)
          .onConflict((conflict) =>
            conflict.columns(['host', 'name']).doUpdateSet((eb) => ({
              is_idle: eb.ref('excluded.is_idle'),
              failures: eb.ref('excluded.failures'),
              last_error: eb.ref('excluded.last_error'),
              reported_at: eb.ref('excluded.reported_at'),
            })),
          )
          .execute()
      })
      return true
    },
  }
}

/** The loops of all processes as last reported, including those that stopped reporting. */
export async function loopReports(db: Db, now: Date) {
  const rows = await own(db)
    .selectFrom('loop_report')
    .selectAll()
    .orderBy('host')
    .orderBy('name')
    .execute()
  return rows.map((row) => ({
    ...row,
    isSilent: msSince(row.reported_at, now) > SILENT_AFTER_MS,
  }))
}
