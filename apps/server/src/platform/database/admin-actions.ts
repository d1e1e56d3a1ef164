import type { AdminActionName } from '@dct/api-contract/codes'
import type { Facts } from '../errors.ts'
import type { Tx } from './db.ts'

/** An action of an admin, with what it changed. */
export type AdminAction = {
  adminId: bigint
  /** The action, such as `price.set`. */
  action: AdminActionName
  /** Its subject, such as a plan's code. */
  subject: string
  before: Facts | null
  after: Facts | null
  at: Date
}

/** Writes an action to the admin log, in the transaction of the action. main/ passes it to the modules that need it. */
export type RecordAdminAction = (tx: Tx, action: AdminAction) => Promise<void>
