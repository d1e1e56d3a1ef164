import {
  MONEY_SETTING_NAMES,
  type MoneySettingName,
  type SettingName,
} from '@dct/api-contract/proposals'
import {
  amount,
  type Bps,
  DECIMALS,
  formatAmount,
  formatUnits,
  parseUnits,
  type Usdt,
} from '@dct/money'
import { businessDayOf, parseBusinessDay, startOfBusinessDay } from '@dct/rules/business-day'
import { DIRECT_RATE_MAX_BPS, NON_DIRECT_OPENS_AT, PRICE_DECIMALS } from '@dct/rules/constants'
import { formatPercentage, parsePercentage } from '@dct/rules/percentages'
import { latestPossible } from '../../platform/clock.ts'
import type { DbOrTx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { CurrentPrice } from './current-price.ts'
import { type LatestSettings, latestPrice, latestSettings } from './pricing.queries.ts'

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

export function formatPrice(price: bigint): string {
  return formatUnits(price, PRICE_DECIMALS, PRICE_DECIMALS)
}

/** A value as it is stored, and as admins read and write it. */
type Kind = {
  lowest: bigint
  highest: bigint
  read(text: string): bigint
  show(value: bigint): string
}

const usdt = (text: string) => parseUnits(text, DECIMALS.USDT)
const IN_USDT: Kind = {
  lowest: 0n,
  /** Anything above is a typing mistake. */
  highest: usdt('100'),
  read: usdt,
  show: (value) => formatAmount('USDT', value),
}
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER)

const KINDS: Readonly<Record<SettingName, Kind>> = {
  price: {
    ...{ lowest: 1n, highest: LARGEST, show: formatPrice },
    read: (text) => parseUnits(text, PRICE_DECIMALS),
  },
  energy_fee: IN_USDT,
  trx_price: IN_USDT,
  direct_rate: {
    ...{ lowest: 0n, highest: DIRECT_RATE_MAX_BPS },
    ...{ read: parsePercentage, show: formatPercentage },
  },
  non_direct_opens: {
    ...{ lowest: 0n, highest: LARGEST },
    read: (day) => BigInt(startOfBusinessDay(parseBusinessDay(day)).getTime()),
    show: (ms) => businessDayOf(new Date(Number(ms))),
  },
}

/** In force until an admin changes it. */
const UNSET: Readonly<Record<MoneySettingName, bigint>> = {
  energy_fee: usdt('0.10'),
  trx_price: usdt('0.30'),
  direct_rate: 1_000n,
  non_direct_opens: BigInt(Date.parse(NON_DIRECT_OPENS_AT)),
}

/** The values in force. */
export async function moneySettings(db: DbOrTx): Promise<MoneySettings> {
  return settingsOf(await latestSettings(db))
}

/** The values in force, and the latest price, however old. */
export async function settingsAndPrice(
  db: DbOrTx,
  now: Date,
): Promise<MoneySettings & { price: CurrentPrice | undefined }> {
  const latest = await latestSettings(db)
  const last = latest.get('price')
  // One from the future was set while a clock was wrong.
  const isPossible = last === undefined || last.at <= latestPossible(now)
  const price = isPossible ? last && { price: last.value, at: last.at } : await latestPrice(db, now)
  return { ...settingsOf(latest), price }
}

function settingsOf(latest: LatestSettings): MoneySettings {
  const values = valuesOf(latest)
  return {
    energyFee: amount('USDT', values.energy_fee),
    directRateBps: values.direct_rate,
    nonDirectOpensAt: new Date(Number(values.non_direct_opens)),
    trxPrice: amount('USDT', values.trx_price),
  }
}

/** The values in force as they are stored, each by its name. */
export async function moneySettingValues(db: DbOrTx): Promise<Record<MoneySettingName, bigint>> {
  return valuesOf(await latestSettings(db))
}

function valuesOf(latest: LatestSettings): Record<MoneySettingName, bigint> {
  const present = (name: MoneySettingName) => latest.get(name)?.value ?? UNSET[name]
  return Object.fromEntries(MONEY_SETTING_NAMES.map((name) => [name, present(name)])) as Record<
    MoneySettingName,
    bigint
  >
}

/** The value in force; undefined if there is no price yet. */
export async function presentValue(
  db: DbOrTx,
  name: SettingName,
  now: Date,
): Promise<bigint | undefined> {
  return name === 'price'
    ? (await latestPrice(db, now))?.price
    : (await moneySettingValues(db))[name]
}

/** Reads a value as admins write it. @throws Refusal `MONEY_SETTING_INVALID` */
export function readMoneySetting(name: SettingName, text: string): bigint {
  const { read, lowest, highest } = KINDS[name]
  let value = -1n
  try {
    value = read(text)
  } catch {
    // Refused below, like a day before 1970.
  }
  if (value < lowest || value > highest) throw new Refusal('MONEY_SETTING_INVALID')
  return value
}

export function showMoneySetting(name: SettingName, value: bigint): string {
  return KINDS[name].show(value)
}
