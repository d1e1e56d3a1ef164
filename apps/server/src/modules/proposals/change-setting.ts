import type { SettingKind } from '@dct/api-contract/proposals'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import type { Tx } from '../../platform/database/db.ts'
import { decide } from './decide.ts'
import { insertChange } from './proposals.queries.ts'

export type SettingChange = {
  kind: SettingKind
  /** The user whose percentage it is. */
  userId?: bigint
  /** The value in force; undefined if there is none. */
  before: bigint | undefined
  value: bigint
  adminId: bigint
  needsTwo: boolean
  /** How the admin log names the change, and shows its values. */
  log: {
    action: 'price' | 'money_setting' | 'referral_percentage'
    subject: string
    name: 'price' | 'value' | 'percentage'
    show(value: bigint): string
  }
  at: Date
}

/**
 * Puts a value in force, or proposes it to a second admin where one is needed. The caller has locked what it is about.
 * @returns whether it is in force; false if it awaits another admin
 */
export async function changeSetting(
  { recordAdminAction }: { recordAdminAction: RecordAdminAction },
  tx: Tx,
  change: SettingChange,
): Promise<boolean> {
  const { before, value, adminId, at, log } = change
  const deciders = await decide(tx, { ...change, subject: change.userId ?? 0n })
  const isSet = deciders !== undefined
  if (isSet) await insertChange(tx, { ...change, ...deciders })
  await recordAdminAction(tx, {
    adminId,
    action: `${log.action}.${isSet ? 'set' : 'propose'}`,
    subject: log.subject,
    before: before === undefined ? null : { [log.name]: log.show(before) },
    after: { [log.name]: log.show(value) },
    at,
  })
  return isSet
}
