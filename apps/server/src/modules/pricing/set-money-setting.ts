import type { SettingName } from '@dct/api-contract/proposals'
import type { Clock } from '../../platform/clock.ts'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { hasOtherAdmin } from '../auth/index.ts'
import { changeSetting, insertChange, lockSettings } from '../proposals/index.ts'
import { formatPrice, presentValue, showMoneySetting } from './money-settings.ts'
import { type PriceBounds, roomOf } from './price-room.ts'
import { latestSettings } from './pricing.queries.ts'

export type SetMoneySettingDeps = {
  db: Db
  clock: Clock
  priceBounds: PriceBounds
  recordAdminAction: RecordAdminAction
}

type Change = { name: SettingName; value: bigint }

/**
 * Sets a value for everything that happens from now on. Where there is a second admin, it waits until one of the others
 * sends the same value within a day; except a price within what admins may set alone. Sending a fee setting that is in
 * force changes nothing, but a price lasts longer by it.
 * @returns whether the value is set; false if it waits for another admin
 * @throws Refusal `PRICE_OUT_OF_BOUNDS`
 */
export async function setMoneySetting(
  deps: SetMoneySettingDeps,
  { name, value, adminId }: Change & { adminId: bigint },
): Promise<boolean> {
  const isPrice = name === 'price'
  if (isPrice) requireWithin(deps.priceBounds, value)
  return inTransaction(deps.db, async (tx) => {
    await lockSettings(tx)
    const at = deps.clock.now()
    const before = await presentValue(tx, name, at)
    if (!isPrice && value === before) return true
    const asked = { adminId, at }
    const room = isPrice ? await roomOf(deps, tx, asked) : undefined
    const needsTwo = isPrice
      ? room !== undefined && (value < room.lowest || value > room.highest)
      : await hasOtherAdmin(tx, asked)
    return changeSetting(deps, tx, {
      ...{ kind: name, before, value, adminId, needsTwo, at },
      log: {
        ...(isPrice
          ? { action: 'price', subject: 'DCT', name: 'price' }
          : { action: 'money_setting', subject: name, name: 'value' }),
        show: (one) => showMoneySetting(name, one),
      },
    })
  })
}

function requireWithin({ minimum, maximum }: PriceBounds, price: bigint): void {
  if (price >= minimum && price <= maximum) return
  const facts = { minimum: formatPrice(minimum), maximum: formatPrice(maximum) }
  const message = `The price must be between ${facts.minimum} and ${facts.maximum} USDT.`
  throw new Refusal('PRICE_OUT_OF_BOUNDS', facts, message)
}

/** Sets a first value of the development installation. Does nothing if there is one. */
export async function ensureMoneySetting(
  { db, clock }: Pick<SetMoneySettingDeps, 'db' | 'clock'>,
  { name, value }: Change,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockSettings(tx)
    if ((await latestSettings(tx)).has(name)) return
    await insertChange(tx, { kind: name, value, at: clock.now() })
  })
}
