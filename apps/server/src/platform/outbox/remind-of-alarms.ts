import { ALARMS, alarmRule } from '@dct/api-contract/alarms'
import { sql } from 'kysely'
import { latestPossible, msSince } from '../clock.ts'
import { type Db, inTransaction } from '../database/db.ts'
import { own } from '../database/platform.tables.ts'
import { type QuietHours, quietUntil } from './quiet-hours.ts'

const AT_ONCE = 100
const NEWS = Object.keys(ALARMS).filter((kind) => alarmRule(kind).isNews === true)

export type RemindInput = {
  /** 0 for no reminders. */
  repeatMs: number
  quietHours: QuietHours | undefined
  /** Real time. */
  now: Date
}

/**
 * Queues a reminder for each alarm that is still open `repeatMs` after the last message about it, except alarms that
 * report one-off events. Several workers may do so at the same time.
 * @returns the number of reminders
 */
export async function remindOfAlarms(db: Db, input: RemindInput): Promise<number> {
  const { repeatMs, now } = input
  if (repeatMs === 0) return 0
  return inTransaction(db, async (tx) => {
    const open = await own(tx)
      .selectFrom('alarm')
      .select(['id', 'kind', 'subject', 'message', 'raised_at', 'times'])
      .select(sql<Date>`coalesce(repeated_at, raised_at)`.as('notified_at'))
      .where('cleared_at', 'is', null)
      .where('kind', 'not in', NEWS)
      .where(
        sql<boolean>`coalesce(repeated_at, raised_at) not between
          ${new Date(now.getTime() - repeatMs + 1)} and ${latestPossible(now)}`,
      )
      .orderBy('id')
      .limit(AT_ONCE)
      .forUpdate()
      .skipLocked()
      .execute()
    const due = open.filter(({ kind, notified_at }) =>
      isDue({ kind, notifiedAt: notified_at }, input),
    )
    if (due.length === 0) return 0
    await own(tx)
      .updateTable('alarm')
      .set({ repeated_at: now })
      .where(
        'id',
        'in',
        due.map(({ id }) => id),
      )
      .execute()
    await own(tx)
      .insertInto('outbox_message')
      .values(
        due.map(({ kind, subject, message, raised_at, times }) => ({
          type: 'alarm.reminded',
          severity: alarmRule(kind).severity,
          data: { kind, subject, message, raised_at: raised_at.toISOString(), times },
          ...{ at: now, dispatched_at: null },
        })),
      )
      .execute()
    return due.length
  })
}

/**
 * Whether a reminder of an open alarm is due. Alarms that can wait get no reminders during quiet hours, or those would
 * pile up until their end; and a message written during quiet hours counts from their end, when people received it.
 */
export function isDue(
  alarm: { kind: string; notifiedAt: Date },
  { repeatMs, quietHours, now }: RemindInput,
): boolean {
  const { severity, isNews } = alarmRule(alarm.kind)
  if (isNews === true) return false
  const endOfQuiet = (at: Date) =>
    quietHours === undefined || severity === 'critical' ? undefined : quietUntil(quietHours, at)
  if (endOfQuiet(now) !== undefined) return false
  const receivedAt = endOfQuiet(alarm.notifiedAt) ?? alarm.notifiedAt
  return msSince(receivedAt, now) >= repeatMs
}
