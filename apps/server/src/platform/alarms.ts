import type { Db, DbOrTx, Tx } from './db.ts'
import { own } from './platform.tables.ts'

/** The maximum number of open alarms shown. */
const MAX_OPEN = 100

export type AlarmFacts = { kind: string; subject: string; message: string; at: Date }

/** Raises an alarm for the admins, once until it is cleared. True when it is new. */
export async function raiseAlarm(db: Db | Tx, facts: AlarmFacts): Promise<boolean> {
  const raised = await own(db)
    .insertInto('alarm')
    .values({
      kind: facts.kind,
      subject: facts.subject,
      message: facts.message,
      raised_at: facts.at,
    })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'subject']).where('cleared_at', 'is', null).doNothing(),
    )
    .executeTakeFirst()
  return (raised.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Clears an alarm whose cause is gone. Does nothing when there is none. */
export async function clearAlarm(
  db: Db | Tx,
  facts: { kind: string; subject: string; at: Date },
): Promise<void> {
  await own(db)
    .updateTable('alarm')
    .set({ cleared_at: facts.at })
    .where('kind', '=', facts.kind)
    .where('subject', '=', facts.subject)
    .where('cleared_at', 'is', null)
    .execute()
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

/** The open alarms, oldest first. */
export async function openAlarms(db: DbOrTx) {
  return own(db)
    .selectFrom('alarm')
    .select(['kind', 'subject', 'message', 'raised_at'])
    .where('cleared_at', 'is', null)
    .orderBy('id')
    .limit(MAX_OPEN)
    .execute()
}
