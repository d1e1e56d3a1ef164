import type { Generated } from 'kysely'
import { tablesOf } from '../../platform/database/db.ts'

/**
 * The balance of one of our contracts or wallets at its last successful reading. `failed_at` is set while readings
 * fail. Real times.
 */
export type FundsReadingTable = {
  name: string
  amount: bigint | null
  read_at: Date | null
  failed_at: Date | null
}

/** The figures recorded at the beginning of a business day. */
export type MoneyDayTable = {
  day: string
  figure: string
  plan_code: Generated<string>
  /** Base units; null where the figure was unknown. */
  amount: bigint | null
}

export type TreasuryTables = {
  funds_reading: FundsReadingTable
  money_day: MoneyDayTable
}

/** The tables of this module. */
export const own = tablesOf<TreasuryTables>()
