import type { DbOrTx } from '../../platform/database/db.ts'
import { own } from './audit.tables.ts'

export type LatestAudit = {
  finishedAt: Date
  isFull: boolean
  compared: number
  differences: number
  /** The number of checks that could not be made, for example because a watcher was behind its chain. */
  skipped: number
  /** Whether everything was compared, and nothing differed. */
  isPassed: boolean
}

/** The result of the newest audit; undefined before the first. */
export async function latestAudit(db: DbOrTx): Promise<LatestAudit | undefined> {
  const run = await own(db)
    .selectFrom('audit_run')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (run === undefined) return undefined
  const skipped = run.outcomes.filter(({ skipped }) => skipped !== undefined).length
  return {
    finishedAt: run.finished_at,
    isFull: run.is_full,
    compared: Number(run.compared),
    differences: run.differences,
    skipped,
    isPassed: run.differences === 0 && skipped === 0,
  }
}
