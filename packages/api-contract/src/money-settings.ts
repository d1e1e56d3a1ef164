import { type Static, Type } from 'typebox'
import { ListFrame, ListQuery, Nullable, OneOf, Strict, Timestamp } from './common.ts'
import { LIST_ORDERS } from './lists.ts'
import { MONEY_SETTING_NAMES, SETTING_NAMES } from './proposals.ts'

/** USDT for prices and the energy fee, a percentage for the direct rate, a day in UTC+7 for the opening. */
const ValueText = Type.String({ examples: ['0.100000'] })

export const SetMoneySettingBody = Strict({
  name: OneOf(...SETTING_NAMES),
  value: Type.String({ minLength: 1, maxLength: 40 }),
})
export type SetMoneySettingBody = Static<typeof SetMoneySettingBody>

export const SetMoneySettingReply = Type.Object({
  message: Type.String(),
  is_set: Type.Boolean({ description: 'False when the change awaits a second admin.' }),
})
export type SetMoneySettingReply = Static<typeof SetMoneySettingReply>

export const MoneySettingsReply = Type.Object({
  settings: Type.Array(Type.Object({ name: OneOf(...MONEY_SETTING_NAMES), value: ValueText })),
})
export type MoneySettingsReply = Static<typeof MoneySettingsReply>

export const MoneySettingChange = Type.Object({
  id: Type.String(),
  name: OneOf(...SETTING_NAMES),
  value: ValueText,
  set_by: Nullable(
    Type.String({ description: "The admin's Tron address; null if no admin set it." }),
  ),
  source: OneOf('admin', 'pair', 'settings'),
  confirmed_by: Nullable(Type.String({ description: 'The second admin.' })),
  at: Timestamp,
})
export type MoneySettingChange = Static<typeof MoneySettingChange>

export const MoneySettingHistoryQuery = ListQuery(LIST_ORDERS.moneySettings, {
  name: Type.Optional(OneOf(...SETTING_NAMES)),
})
export const MoneySettingHistoryReply = Type.Object({
  changes: Type.Array(MoneySettingChange),
  ...ListFrame,
})
export type MoneySettingHistoryReply = Static<typeof MoneySettingHistoryReply>
