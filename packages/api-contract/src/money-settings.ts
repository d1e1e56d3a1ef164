import { type Static, Type } from 'typebox'
import { ListFrame, ListQuery, Nullable, OneOf, Strict, Timestamp } from './common.ts'
import { LIST_ORDERS } from './lists.ts'

/** What admins may change while the service runs. */
export const MONEY_SETTING_NAMES = [
  'energy_fee',
  'direct_rate',
  'non_direct_opens',
  'trx_price',
] as const
export type MoneySettingName = (typeof MONEY_SETTING_NAMES)[number]

/** USDT for the energy fee and for one TRX, a percentage for the direct rate, a day in UTC+7 for the opening. */
const ValueText = Type.String({ examples: ['0.100000'] })

export const SetMoneySettingBody = Strict({
  name: OneOf(...MONEY_SETTING_NAMES),
  value: Type.String({ minLength: 1, maxLength: 40 }),
})
export type SetMoneySettingBody = Static<typeof SetMoneySettingBody>

export const MoneySetting = Type.Object({
  name: OneOf(...MONEY_SETTING_NAMES),
  value: ValueText,
  proposal: Nullable(
    Type.Object(
      {
        value: ValueText,
        proposed_by: Type.String(),
        proposed_at: Timestamp,
        expires_at: Timestamp,
      },
      { description: 'A value that awaits the same one from another admin.' },
    ),
  ),
})
export type MoneySetting = Static<typeof MoneySetting>

export const MoneySettingsReply = Type.Object({ settings: Type.Array(MoneySetting) })
export type MoneySettingsReply = Static<typeof MoneySettingsReply>

export const SetMoneySettingReply = Type.Object({
  settings: Type.Array(MoneySetting),
  message: Type.String(),
  is_set: Type.Boolean({ description: 'False when the change awaits a second admin.' }),
})
export type SetMoneySettingReply = Static<typeof SetMoneySettingReply>

export const MoneySettingChange = Type.Object({
  id: Type.String(),
  name: OneOf(...MONEY_SETTING_NAMES),
  value: ValueText,
  set_by: Nullable(
    Type.String({ description: "The admin's Tron address; null if no admin set it." }),
  ),
  confirmed_by: Nullable(Type.String({ description: 'The second admin.' })),
  at: Timestamp,
})
export type MoneySettingChange = Static<typeof MoneySettingChange>

export const MoneySettingHistoryQuery = ListQuery(LIST_ORDERS.moneySettings, {})
export const MoneySettingHistoryReply = Type.Object({
  changes: Type.Array(MoneySettingChange),
  ...ListFrame,
})
export type MoneySettingHistoryReply = Static<typeof MoneySettingHistoryReply>
