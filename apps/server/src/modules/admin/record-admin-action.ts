import type { AdminAction } from '../../platform/admin-actions.ts'
import { currentCaller } from '../../platform/caller.ts'
import type { Tx } from '../../platform/db.ts'
import './admin.tables.ts'

/** Writes who did what, when, from where, with the old and the new value. The log can only grow. */
export async function recordAdminAction(tx: Tx, action: AdminAction): Promise<void> {
  await tx
    .insertInto('admin_log')
    .values({
      admin_id: action.adminId,
      action: action.action,
      subject: action.subject,
      before: action.before,
      after: action.after,
      ip: currentCaller()?.ip ?? null,
      at: action.at,
    })
    .execute()
}
