import { MONEY_SETTING_NAMES, type MoneySettingName } from '@dct/api-contract/money-settings'
import { amount, type Bps, DECIMALS, formatAmount, parseUnits, type Usdt } from '@dct/money'
import { businessDayOf, parseBusinessDay, startOfBusinessDay } from '@dct/rules/business-day'
import { DIRECT_RATE_MAX_BPS, NON_DIRECT_OPENS_AT } from '@dct/rules/constants'
import { formatPercentage, parsePercentage } from '@dct/rules/percentages'
import type { DbOrTx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { latestSettings } from './money-settings.queries.ts'

/** What admins may change while the service runs. */
export type MoneySettings = {
  /** The energy fee of a claim, in addition to its fee. */
  energyFee: Usdt
  /** The rate of direct referral rewards. */
  directRateBps: Bps
  /** The first instant at which the non-direct bonus can be claimed. */
  nonDirectOpensAt: Date
  /** Our cost of one TRX, only to compare what payouts cost with what the energy fee brings in. */
  trxPrice: Usdt
}

/** A value as it is stored, and as admins read and write it. */
type Kind = {
  unset: bigint
  highest: bigint
  read(text: string): bigint
  show(value: bigint): string
}

const usdt = (text: string) => parseUnits(text, DECIMALS.USDT)
const inUsdt = {
  /** Anything above is a typing mistake. */
  highest: usdt('100'),
  read: usdt,
  show: (value: bigint) => formatAmount('USDT', value),
}

const KINDS: Readonly<Record<MoneySettingName, Kind>> = {
  energy_fee: { ...inUsdt, unset: usdt('0.10') },
  trx_price: { ...inUsdt, unset: usdt('0.30') },
  direct_rate: {
    unset: 1_000n,
    highest: DIRECT_RATE_MAX_BPS,
    read: parsePercentage,
    show: formatPercentage,
  },
  non_direct_opens: {
    unset: BigInt(Date.parse(NON_DIRECT_OPENS_AT)),
    highest: BigInt(Number.MAX_SAFE_INTEGER),
    read: (day) => BigInt(startOfBusinessDay(parseBusinessDay(day)).getTime()),
    show: (ms) => businessDayOf(new Date(Number(ms))),
  },
}

/** The values in force. */
export async function moneySettings(db: DbOrTx): Promise<MoneySettings> {
  const values = await moneySettingValues(db)
  return {
    energyFee: amount('USDT', values.energy_fee),
    directRateBps: values.direct_rate,
    nonDirectOpensAt: new Date(Number(values.non_direct_opens)),
    trxPrice: amount('USDT', values.trx_price),
  }
}

/** The values in force as they are stored, each by its name. */
export async function moneySettingValues(db: DbOrTx): Promise<Record<MoneySettingName, bigint>> {
  const latest = await latestSettings(db)
  const present = (name: MoneySettingName) => latest.get(name) ?? KINDS[name].unset
  return Object.fromEntries(MONEY_SETTING_NAMES.map((name) => [name, present(name)])) as Record<
    MoneySettingName,
    bigint
  >
}

/** Reads a value as admins write it. @throws Refusal `MONEY_SETTING_INVALID` */
export function readMoneySetting(name: MoneySettingName, text: string): bigint {
  const { read, highest } = KINDS[name]
  let value = -1n
  try {
    value = read(text)
  } catch {
    // Refused below, like a day before 1970.
  }
  if (value < 0n || value > highest) throw new Refusal('MONEY_SETTING_INVALID')
  return value
}

export function showMoneySetting(name: MoneySettingName, value: bigint): string {
  return KINDS[name].show(value)
}
