import { clearAlarm, raiseAlarm } from '../../platform/alarms/alarms.ts'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import { own } from './payouts.tables.ts'

const ALARM = { kind: 'restored', subject: 'payouts' } as const

/** Records that this database was restored: nothing is signed until `endRestore`. */
export async function markRestored(
  tx: Tx,
  { backup, takenAt, at }: { backup: string; takenAt: Date; at: Date },
): Promise<void> {
  await own(tx)
    .insertInto('restored_backup')
    .values({ backup, taken_at: takenAt, restored_at: at, verified_at: null })
    .execute()
  const message = `The database was restored from the backup of ${takenAt.toISOString()}. Nothing is paid until the watchers have read both chains and a full audit has found no difference.`
  await raiseAlarm(tx, { ...ALARM, message, at })
}

/** Whether this database was restored and has not been compared with the chains since. */
export async function isRestoreOpen(db: DbOrTx): Promise<boolean> {
  const open = await own(db)
    .selectFrom('restored_backup')
    .select('backup')
    .where('verified_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return open !== undefined
}

/** Lets payouts resume. To be called only after a full audit without differences or gaps. Safe to repeat. */
export async function endRestore(tx: Tx, at: Date): Promise<void> {
  await own(tx)
    .updateTable('restored_backup')
    .set({ verified_at: at })
    .where('verified_at', 'is', null)
    .execute()
  await clearAlarm(tx, { ...ALARM, at })
}
