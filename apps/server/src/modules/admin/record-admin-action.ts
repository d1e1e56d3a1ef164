import type { AdminAction } from '../../platform/database/admin-actions.ts'
import type { Tx } from '../../platform/database/db.ts'
import { currentCaller } from '../../platform/http/caller.ts'
import { own } from './admin.tables.ts'

/**
 * Writes an admin action to the append-only log: who, what, when, from which IP address, and the old and new values.
 */
export async function recordAdminAction(tx: Tx, action: AdminAction): Promise<void> {
  await own(tx)
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
