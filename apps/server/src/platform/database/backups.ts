import { sql } from 'kysely'
import { clearAlarm, raiseAlarm } from '../alarms/alarms.ts'
import { type Clock, msSince } from '../clock.ts'
import type { Loop } from '../loops/loop.ts'
import type { Db, DbOrTx } from './db.ts'
import { own } from './platform.tables.ts'

const HOUR_MS = 3_600_000
/** Backups are made at least daily, and a large one takes hours. */
const OLDEST_HOURS = 30
const CHECK_EVERY_MS = 15_000
const KIND = 'backup'

/** When the last backup was made, as its script recorded with `record_backup`. */
export async function lastBackup(db: DbOrTx): Promise<Date | undefined> {
  const last = await own(db)
    .selectFrom('backup')
    .select((eb) => eb.fn.max('finished_at').as('at'))
    .executeTakeFirst()
  return last?.at ?? undefined
}

/** Why the backups need a person; undefined while they do not. */
export async function findBackupProblem(db: DbOrTx, realClock: Clock): Promise<string | undefined> {
  const at = await lastBackup(db)
  if (at === undefined) return 'No backup has been recorded yet.'
  return msSince(at, realClock.now()) <= OLDEST_HOURS * HOUR_MS
    ? undefined
    : `The last backup was made at ${at.toISOString()}, none within the last ${OLDEST_HOURS} hours.`
}

/**
 * Why a point in time could not be restored although the server archives its write-ahead log: the last segment could
 * not be archived. Undefined while it can, or if the server archives nothing.
 */
export async function findArchiveProblem(db: DbOrTx): Promise<string | undefined> {
  const { rows } = await sql<{ last_failed_wal: string }>`
    select last_failed_wal from pg_stat_archiver
    where current_setting('archive_mode') <> 'off'
      and last_failed_time > coalesce(last_archived_time, '-infinity')`.execute(db)
  return rows[0] === undefined
    ? undefined
    : `The segment ${rows[0].last_failed_wal} of the write-ahead log could not be archived: its reason is in PostgreSQL's log.`
}

/** Raises an alarm while the last backup is too old or the write-ahead log is not archived. */
export function createBackupLoop({ db, realClock }: { db: Db; realClock: Clock }): Loop {
  const report = async (subject: string, message: string | undefined) => {
    const alarm = { kind: KIND, subject, at: realClock.now() } as const
    if (message === undefined) await clearAlarm(db, alarm)
    else await raiseAlarm(db, { ...alarm, message })
  }
  return {
    name: 'backup age',
    isDrained: false,
    pauseMs: CHECK_EVERY_MS,
    async step() {
      await report('database', await findBackupProblem(db, realClock))
      await report('write-ahead log', await findArchiveProblem(db))
      return true
    },
  }
}
