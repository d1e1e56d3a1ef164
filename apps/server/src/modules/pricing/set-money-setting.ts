import type { MoneySettingName } from '@dct/api-contract/money-settings'
import { msSince } from '../../platform/clock.ts'
import { type DbOrTx, inTransaction, type Tx } from '../../platform/database/db.ts'
import {
  insertSetting,
  latestSettings,
  lockSettings,
  replaceSettingProposal,
  settingProposals,
} from './money-settings.queries.ts'
import { moneySettingValues, showMoneySetting } from './money-settings.ts'
import { PROPOSAL_LIFE_MS, type SetPriceDeps } from './set-price.ts'

export type SetMoneySettingDeps = Omit<SetPriceDeps, 'priceBounds'>

type Change = {
  name: MoneySettingName
  value: bigint
  admin: { id: bigint; address: Buffer }
}

/**
 * Sets a value for everything that happens from now on. Where there is a second admin, it waits until one of the others
 * sends the same value within a day. Sending the value in force changes nothing.
 * @returns whether the value is set; false if it waits for another admin
 */
export async function setMoneySetting(deps: SetMoneySettingDeps, change: Change): Promise<boolean> {
  const { name, value, admin } = change
  return inTransaction(deps.db, async (tx) => {
    await lockSettings(tx)
    const at = deps.clock.now()
    const before = (await moneySettingValues(tx))[name]
    if (value === before) return true
    const needsTwo = await deps.hasOtherAdmin(tx, { adminId: admin.id, at })
    const proposer = needsTwo ? await otherProposerOf(tx, change, at) : undefined
    const isSet = !needsTwo || proposer !== undefined
    if (isSet) {
      const setBy = proposer ?? admin.address
      const confirmedBy = proposer === undefined ? null : admin.address
      await insertSetting(tx, { name, value, setBy, confirmedBy, at })
    } else {
      await replaceSettingProposal(tx, { name, value, proposedBy: admin.address, at })
    }
    await deps.recordAdminAction(tx, {
      adminId: admin.id,
      action: isSet ? 'money_setting.set' : 'money_setting.propose',
      subject: name,
      before: { value: showMoneySetting(name, before) },
      after: { value: showMoneySetting(name, value) },
      at,
    })
    return isSet
  })
}

/** The address of another admin who has recently proposed exactly this value. */
async function otherProposerOf(
  tx: Tx,
  { name, value, admin }: Change,
  at: Date,
): Promise<Buffer | undefined> {
  const proposal = (await liveProposals(tx, at)).find((one) => one.name === name)
  if (proposal === undefined || proposal.value !== value) return undefined
  return proposal.proposedBy.equals(admin.address) ? undefined : proposal.proposedBy
}

/** The proposals that can still be confirmed. */
export async function liveProposals(db: DbOrTx, now: Date) {
  const proposals = await settingProposals(db)
  return proposals.filter(({ at }) => msSince(at, now) < PROPOSAL_LIFE_MS)
}

/** Sets a first value of the development installation. Does nothing if there is one. */
export async function ensureMoneySetting(
  { db, clock }: Pick<SetMoneySettingDeps, 'db' | 'clock'>,
  { name, value }: Pick<Change, 'name' | 'value'>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockSettings(tx)
    if ((await latestSettings(tx)).has(name)) return
    await insertSetting(tx, { name, value, setBy: null, confirmedBy: null, at: clock.now() })
  })
}
