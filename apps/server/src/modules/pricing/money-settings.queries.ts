import type { MoneySettingName } from '@dct/api-contract/money-settings'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import { offsetOf, type Paging } from '../../platform/http/lists.ts'
import { own } from './pricing.tables.ts'

/** The latest value of each name that was ever set. */
export async function latestSettings(db: DbOrTx): Promise<Map<MoneySettingName, bigint>> {
  const rows = await own(db)
    .selectFrom('money_setting')
    .distinctOn('name')
    .select(['name', 'value'])
    .orderBy('name')
    .orderBy('id', 'desc')
    .execute()
  return new Map(rows.map(({ name, value }) => [name, value]))
}

/** Serializes changes; readers are not blocked. */
export async function lockSettings(tx: Tx): Promise<void> {
  await sql`lock table money_setting in share row exclusive mode`.execute(tx)
}

export type NewSetting = {
  name: MoneySettingName
  value: bigint
  setBy: Buffer | null
  confirmedBy: Buffer | null
  at: Date
}

/** Adds a value and deletes the proposal that waited for this name. */
export async function insertSetting(tx: Tx, setting: NewSetting): Promise<void> {
  const { name, value, setBy, confirmedBy, at } = setting
  await own(tx)
    .insertInto('money_setting')
    .values({ name, value, set_by: setBy, confirmed_by: confirmedBy, at })
    .execute()
  await own(tx).deleteFrom('money_setting_proposal').where('name', '=', name).execute()
}

export type SettingProposal = {
  name: MoneySettingName
  value: bigint
  proposedBy: Buffer
  at: Date
}

export async function settingProposals(db: DbOrTx): Promise<SettingProposal[]> {
  return own(db)
    .selectFrom('money_setting_proposal')
    .select(['name', 'value', 'proposed_by as proposedBy', 'at'])
    .orderBy('name')
    .execute()
}

/** Stores a proposal in place of the previous one of its name. */
export async function replaceSettingProposal(tx: Tx, proposal: SettingProposal): Promise<void> {
  const { name, value, proposedBy, at } = proposal
  const columns = { value, proposed_by: proposedBy, at }
  await own(tx)
    .insertInto('money_setting_proposal')
    .values({ name, ...columns })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(columns))
    .execute()
}

export async function listSettingChanges(
  db: DbOrTx,
  query: Paging & { sort_order: 'asc' | 'desc' },
) {
  const [rows, count] = await Promise.all([
    own(db)
      .selectFrom('money_setting')
      .select(['id', 'name', 'value', 'set_by', 'confirmed_by', 'at'])
      .orderBy('at', query.sort_order)
      .orderBy('id', query.sort_order)
      .offset(offsetOf(query))
      .limit(query.limit)
      .execute(),
    own(db)
      .selectFrom('money_setting')
      .select((eb) => eb.fn.countAll<bigint>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(count.total) }
}
