import type { ProposalKind, SettingKind } from '@dct/api-contract/proposals'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import { own } from './proposals.tables.ts'

/** What a proposal is about. */
export type Subject = {
  kind: ProposalKind
  /** The user of a percentage, the claim of an approval; otherwise 0. */
  subject: bigint
}
export type Proposal = Subject & { value: bigint; proposedBy: bigint; at: Date }

/** The proposal about something, however old. */
export async function findProposal(db: DbOrTx, about: Subject): Promise<Proposal | undefined> {
  return selectProposal(db, about).executeTakeFirst()
}

/** The proposal about something, however old, locked until commit: it is decided or ended once. */
export async function lockProposal(tx: Tx, about: Subject): Promise<Proposal | undefined> {
  return selectProposal(tx, about).forUpdate().executeTakeFirst()
}

function selectProposal(db: DbOrTx, { kind, subject }: Subject) {
  return own(db)
    .selectFrom('proposal')
    .select(['kind', 'subject', 'value', 'proposed_by as proposedBy', 'at'])
    .where('kind', '=', kind)
    .where('subject', '=', subject)
}

/** Stores a proposal in place of the previous one about the same. */
export async function replaceProposal(tx: Tx, proposal: Proposal): Promise<void> {
  const { kind, subject, value, proposedBy, at } = proposal
  const columns = { value, proposed_by: proposedBy, at }
  await own(tx)
    .insertInto('proposal')
    .values({ kind, subject, ...columns })
    .onConflict((conflict) => conflict.columns(['kind', 'subject']).doUpdateSet(columns))
    .execute()
}

export async function dropProposal(tx: Tx, { kind, subject }: Subject): Promise<void> {
  await own(tx)
    .deleteFrom('proposal')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .execute()
}

/** Serializes changes of what is set for everybody; readers are not blocked. */
export async function lockSettings(tx: Tx): Promise<void> {
  await sql`lock table setting_change in share row exclusive mode`.execute(tx)
}

export type NewChange = {
  kind: SettingKind
  userId?: bigint
  before?: bigint | undefined
  value: bigint
  setBy?: bigint
  confirmedBy?: bigint | null
  needsTwo?: boolean
  isFromPair?: boolean
  at: Date
}

/** Adds a value that is in force from then on. */
export async function insertChange(tx: Tx, change: NewChange): Promise<void> {
  await own(tx)
    .insertInto('setting_change')
    .values({
      kind: change.kind,
      user_id: change.userId ?? null,
      old_value: change.before ?? null,
      value: change.value,
      set_by: change.setBy ?? null,
      confirmed_by: change.confirmedBy ?? null,
      needs_two: change.needsTwo ?? false,
      from_pair: change.isFromPair ?? false,
      at: change.at,
    })
    .execute()
}
