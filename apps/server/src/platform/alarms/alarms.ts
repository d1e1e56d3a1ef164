import { ALARMS, type AlarmKind } from '@dct/api-contract/alarms'
import { cleanText } from '@dct/rules/clean-text'
import { sql } from 'kysely'
import { latestPossible } from '../clock.ts'
import type { Db, DbOrTx, Tx } from '../database/db.ts'
import { own } from '../database/platform.tables.ts'

/** The maximum number of open alarms shown. */
const MAX_OPEN = 100

export type AlarmFacts = { kind: AlarmKind; subject: string; message: string; at: Date }

const MOST_MESSAGE = 2_000
const MOST_SUBJECT = 300

/** Names and messages of hosts and services are parts of alarms. */
function subjectOf({ subject }: { subject: string }): string {
  return cleanText(subject, MOST_SUBJECT)
}

/**
 * Raises an alarm for the admins unless it is already open, and queues the message that notifies them: one statement,
 * so both are written or neither. If the alarm was cleared but no channel has tried to send the message about that yet,
 * the message is withdrawn and the alarm reopened, so a cause that comes and goes is one alarm with a count.
 * @returns whether the alarm is new
 */
export async function raiseAlarm(db: Db | Tx, facts: AlarmFacts): Promise<boolean> {
  const { kind, at } = facts
  const [subject, message] = [subjectOf(facts), cleanText(facts.message, MOST_MESSAGE)]
  const raised = await own(db)
    .with('withdrawn', (made) =>
      made
        .deleteFrom('outbox_message as m')
        .where('m.id', '=', (eb) =>
          eb
            .selectFrom('alarm')
            .select('ended_with')
            .where('kind', '=', kind)
            .where('subject', '=', subject)
            .orderBy('id', 'desc')
            .limit(1),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('outbox_delivery as d')
                .whereRef('d.message_id', '=', 'm.id')
                .where('d.attempts', '>', 0),
            ),
          ),
        )
        .returning('m.id'),
    )
    .with('reopened', (made) =>
      made
        .updateTable('alarm')
        .set({ cleared_at: null, ended_with: null, times: sql`times + 1`, message })
        .where('ended_with', 'in', (eb) => eb.selectFrom('withdrawn').select('withdrawn.id'))
        .returning('alarm.id'),
    )
    .with('raised', (made) =>
      made
        .insertInto('alarm')
        .columns(['kind', 'subject', 'message', 'raised_at'])
        .expression(
          sql`select ${kind}::text, ${subject}::text, ${message}::text, ${at}::timestamptz
            where not exists (select from reopened)`,
        )
        .onConflict((conflict) =>
          conflict.columns(['kind', 'subject']).where('cleared_at', 'is', null).doNothing(),
        )
        .returning('raised_at'),
    )
    .insertInto('outbox_message')
    .columns(['type', 'severity', 'data', 'at'])
    .expression((eb) =>
      eb.selectFrom('raised').select([
        sql`'alarm.raised'`.as('type'),
        sql`${ALARMS[kind].severity}::text`.as('severity'),
        sql`jsonb_build_object('kind', ${kind}::text, 'subject', ${subject}::text,
          'message', ${message}::text, 'raised_at', raised_at)`.as('data'),
        'raised_at as at',
      ]),
    )
    .executeTakeFirst()
  return (raised.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Records that the cause of an open alarm still exists. For alarms whose cause each process detects on its own. */
export async function confirmAlarm(
  db: Db | Tx,
  { kind, at, ...about }: { kind: AlarmKind; subject: string; at: Date },
): Promise<void> {
  await own(db)
    .updateTable('alarm')
    .set({ confirmed_at: at })
    .where('kind', '=', kind)
    .where('subject', '=', subjectOf(about))
    .where('cleared_at', 'is', null)
    .execute()
}

/** Clears an alarm whose cause is gone, and queues the message about it. @returns false when it was not open */
export async function clearAlarm(
  db: Db | Tx,
  { kind, at, ...about }: { kind: AlarmKind; subject: string; at: Date },
): Promise<boolean> {
  const subject = subjectOf(about)
  const queued = await own(db)
    .with('cleared', (changed) =>
      changed
        .updateTable('alarm')
        .set({ cleared_at: at, ended_with: sql`gen_random_uuid()` })
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .where('cleared_at', 'is', null)
        .returning(['message', 'raised_at', 'times', 'ended_with']),
    )
    .insertInto('outbox_message')
    .columns(['id', 'type', 'severity', 'data', 'at'])
    .expression((eb) =>
      eb.selectFrom('cleared').select([
        'ended_with as id',
        sql`'alarm.resolved'`.as('type'),
        sql`${ALARMS[kind].severity}::text`.as('severity'),
        sql`jsonb_build_object('kind', ${kind}::text, 'subject', ${subject}::text,
          'message', message, 'raised_at', raised_at, 'times', times)`.as('data'),
        sql<Date>`${at}::timestamptz`.as('at'),
      ]),
    )
    .executeTakeFirst()
  return (queued.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Whether an alarm of a kind is open whose subject begins so. */
export async function hasOpenAlarm(
  db: DbOrTx,
  { kind, prefix }: { kind: AlarmKind; prefix: string },
): Promise<boolean> {
  const open = await own(db)
    .selectFrom('alarm')
    .select('kind')
    .where('kind', '=', kind)
    .where(sql<boolean>`starts_with(subject, ${prefix})`)
    .where('cleared_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return open !== undefined
}

/** The number of open alarms of each kind. */
export async function openAlarmCounts(db: DbOrTx) {
  return own(db)
    .selectFrom('alarm')
    .select((eb) => ['kind', eb.fn.countAll<bigint>().as('count')])
    .where('cleared_at', 'is', null)
    .groupBy('kind')
    .execute()
}

/** The open alarms of these kinds that have been neither raised nor confirmed between `since` and `now`. */
export async function unconfirmedAlarms(
  db: DbOrTx,
  { kinds, since, now }: { kinds: readonly AlarmKind[]; since: Date; now: Date },
) {
  return own(db)
    .selectFrom('alarm')
    .select(['kind', 'subject'])
    .where('kind', 'in', kinds)
    .where('cleared_at', 'is', null)
    .where(({ or, eb }) =>
      or([
        eb(sql`coalesce(confirmed_at, raised_at)`, '<=', since),
        eb(sql`coalesce(confirmed_at, raised_at)`, '>', latestPossible(now)),
      ]),
    )
    .$narrowType<{ kind: AlarmKind }>()
    .execute()
}

/** The oldest open alarms, oldest first. */
export async function openAlarms(db: DbOrTx) {
  return own(db)
    .selectFrom('alarm')
    .select(['kind', 'subject', 'message', 'raised_at', 'times'])
    .where('cleared_at', 'is', null)
    .orderBy('id')
    .limit(MAX_OPEN)
    .execute()
}
