import { ALARMS, alarmRule } from '@dct/api-contract/alarms'
import { sql } from 'kysely'
import { latestPossible } from '../clock.ts'
import { type Db, inTransaction } from '../database/db.ts'
import { own } from '../database/platform.tables.ts'

const AT_ONCE = 100
const ONE_TIME = Object.keys(ALARMS).filter((kind) => alarmRule(kind).isOneTime === true)

/** An alarm that is still open is told again after this time. */
const REPEAT_MS = 6 * 3_600_000

/**
 * Queues a reminder for each alarm that is still open `REPEAT_MS` after the last message about it, except alarms that
 * report one-off events. Several workers may do so at the same time.
 * @param now real time
 * @returns the number of reminders
 */
export async function remindOfAlarms(db: Db, now: Date): Promise<number> {
  return inTransaction(db, async (tx) => {
    const open = await own(tx)
      .selectFrom('alarm')
      .select(['id', 'kind', 'subject', 'message', 'raised_at', 'times'])
      .where('cleared_at', 'is', null)
      .where('kind', 'not in', ONE_TIME)
      .where(
        sql<boolean>`coalesce(repeated_at, raised_at) not between
          ${new Date(now.getTime() - REPEAT_MS + 1)} and ${latestPossible(now)}`,
      )
      .orderBy('id')
      .limit(AT_ONCE)
      .forUpdate()
      .skipLocked()
      .execute()
    if (open.length === 0) return 0
    await own(tx)
      .updateTable('alarm')
      .set({ repeated_at: now })
      .where(
        'id',
        'in',
        open.map(({ id }) => id),
      )
      .execute()
    await own(tx)
      .insertInto('outbox_message')
      .values(
        open.map(({ kind, subject, message, raised_at, times }) => ({
          type: 'alarm.reminded',
          severity: alarmRule(kind).severity,
          data: { kind, subject, message, raised_at: raised_at.toISOString(), times },
          ...{ at: now, dispatched_at: null },
        })),
      )
      .execute()
    return open.length
  })
}
