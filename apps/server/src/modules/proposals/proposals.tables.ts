import type { ProposalKind, SettingKind } from '@dct/api-contract/proposals'
import type { Generated, GeneratedAlways, Selectable } from 'kysely'
import { tablesOf } from '../../platform/database/db.ts'

/** At most one row for each kind and subject: what awaits a second admin. */
export type ProposalTable = {
  kind: ProposalKind
  /** The user of a percentage, the claim of an approval; otherwise 0. */
  subject: bigint
  value: bigint
  proposed_by: bigint
  at: Date
}

export type SettingChangeTable = {
  id: GeneratedAlways<bigint>
  kind: SettingKind
  /** The user whose percentage it is. */
  user_id: bigint | null
  old_value: bigint | null
  value: bigint
  /** The admin who set it; null if it came from the pair or from the development installation. */
  set_by: bigint | null
  /** The second admin, where there is one. */
  confirmed_by: bigint | null
  needs_two: Generated<boolean>
  /** Taken from the pair on chain. */
  from_pair: Generated<boolean>
  at: Date
}

export type ProposalsTables = {
  proposal: ProposalTable
  setting_change: SettingChangeTable
}

/** The views of proposals that other modules may read. */
export type ProposalsViews = {
  proposal_view: Selectable<ProposalTable>
  setting_change_view: Omit<Selectable<SettingChangeTable>, 'old_value' | 'needs_two'>
}

export const own = tablesOf<ProposalsTables>()
