import type { MaintenanceNote } from '@dct/api-contract/status'
import type { Clock } from '../../platform/clock.ts'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import { type Db, type DbOrTx, inTransaction } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { own } from './reports.tables.ts'

export type MaintenanceDeps = {
  db: Db
  clock: Clock
  realClock: Clock
  recordAdminAction: RecordAdminAction
}

/** The notes that have not ended at an instant of real time, by their start. */
export async function openNotes(db: DbOrTx, at: Date): Promise<MaintenanceNote[]> {
  const rows = await own(db)
    .selectFrom('maintenance_note')
    .select(['id', 'text_id', 'text_en', 'starts_at', 'ends_at'])
    .where('ends_at', '>', at)
    .orderBy('starts_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...row,
    id: String(row.id),
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
  }))
}

export type NewNote = {
  adminId: bigint
  texts: { id: string; en: string }
  startsAt: Date
  endsAt: Date
}

/**
 * Announces maintenance on the status page.
 * @throws Refusal `MAINTENANCE_TIME_INVALID` unless it ends after now and after its start
 */
export async function announceMaintenance(deps: MaintenanceDeps, note: NewNote): Promise<void> {
  const now = deps.realClock.now()
  if (note.endsAt <= note.startsAt || note.endsAt <= now) {
    throw new Refusal('MAINTENANCE_TIME_INVALID')
  }
  await inTransaction(deps.db, async (tx) => {
    const { id } = await own(tx)
      .insertInto('maintenance_note')
      .values({
        text_id: note.texts.id,
        text_en: note.texts.en,
        starts_at: note.startsAt,
        ends_at: note.endsAt,
        created_by: note.adminId,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await deps.recordAdminAction(tx, {
      adminId: note.adminId,
      action: 'maintenance.announce',
      subject: String(id),
      before: null,
      after: {
        text_en: note.texts.en,
        starts_at: note.startsAt.toISOString(),
        ends_at: note.endsAt.toISOString(),
      },
      at: deps.clock.now(),
    })
  })
}

/**
 * Ends a note now; one that has not begun never appears as begun.
 * @throws Refusal `NOT_FOUND` if it has already ended
 */
export async function endMaintenance(
  deps: MaintenanceDeps,
  { id, adminId }: { id: bigint; adminId: bigint },
): Promise<void> {
  const now = deps.realClock.now()
  await inTransaction(deps.db, async (tx) => {
    const ended = await own(tx)
      .updateTable('maintenance_note')
      .set((eb) => ({ ends_at: now, starts_at: eb.fn('least', ['starts_at', eb.val(now)]) }))
      .where('id', '=', id)
      .where('ends_at', '>', now)
      .executeTakeFirst()
    if (ended.numUpdatedRows === 0n) throw new Refusal('NOT_FOUND')
    await deps.recordAdminAction(tx, {
      adminId,
      action: 'maintenance.end',
      subject: String(id),
      before: null,
      after: { ends_at: now.toISOString() },
      at: deps.clock.now(),
    })
  })
}
