import type { Tx } from './db.ts'
import type { Facts } from './errors.ts'

/** Something that an admin did, with what it changed. */
export type AdminAction = {
  adminId: bigint
  /** What was done, such as `price.set`. */
  action: string
  /** To what, such as a plan's code. */
  subject: string
  before: Facts | null
  after: Facts | null
  at: Date
}

/** Writes an action into the admins' log, in its own transaction. main/ hands it to the parts that have such actions. */
export type RecordAdminAction = (tx: Tx, action: AdminAction) => Promise<void>
