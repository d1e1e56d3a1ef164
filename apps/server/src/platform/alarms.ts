import { sql } from 'kysely'
import type { DbOrTx } from './db.ts'
import './platform.tables.ts'

export type AlarmFacts = { kind: string; subject: string; message: string; at: Date }

/** Raises an alarm for the admins, once until it is cleared. True when it is new. */
export async function raiseAlarm(db: DbOrTx, facts: AlarmFacts): Promise<boolean> {
  const raised = await db
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

/** Clears an alarm whose cause is gone. Nothing happens when there is none. */
export async function clearAlarm(
  db: DbOrTx,
  facts: { kind: string; subject: string; at: Date },
): Promise<void> {
  await db
    .updateTable('alarm')
    .set({ cleared_at: facts.at })
    .where('kind', '=', facts.kind)
    .where('subject', '=', facts.subject)
    .where('cleared_at', 'is', null)
    .execute()
}

/** The alarms that are open, oldest first. */
export async function openAlarms(db: DbOrTx) {
  return db
    .selectFrom('alarm')
    .select(['kind', 'subject', 'message', 'raised_at'])
    .where('cleared_at', 'is', null)
    .orderBy('id')
    .limit(sql.lit(100))
    .execute()
}
