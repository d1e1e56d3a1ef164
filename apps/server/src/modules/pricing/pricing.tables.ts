import type { MoneySettingName } from '@dct/api-contract/money-settings'
import type { Generated } from 'kysely'
import { tablesOf } from '../../platform/database/db.ts'

export type DctPriceTable = {
  id: Generated<bigint>
  /** USDT for one DCT, 8 decimals. */
  price: bigint
  /** The address of the admin who set it; null if it came from the pair or from the installation's settings. */
  set_by: Buffer | null
  /** The address of the second admin, for a step too large for one. */
  confirmed_by: Buffer | null
  at: Date
  /** Taken from the pair on chain. */
  from_pair: Generated<boolean>
}

/** A reading of the pair at a final block. */
export type PriceSampleTable = { block: bigint; price: bigint; at: Date }

/** At most one row: the price change that awaits a second admin. */
export type DctPriceProposalTable = {
  single: Generated<boolean>
  price: bigint
  proposed_by: Buffer
  at: Date
}

export type MoneySettingTable = {
  id: Generated<bigint>
  name: MoneySettingName
  value: bigint
  /** The address of the admin who set it; null if it came from the development installation. */
  set_by: Buffer | null
  /** The address of the second admin, where there is one. */
  confirmed_by: Buffer | null
  at: Date
}

/** At most one row a name: the value that awaits a second admin. */
export type MoneySettingProposalTable = {
  name: MoneySettingName
  value: bigint
  proposed_by: Buffer
  at: Date
}

export type PricingTables = {
  dct_price: DctPriceTable
  price_sample: PriceSampleTable
  dct_price_proposal: DctPriceProposalTable
  money_setting: MoneySettingTable
  money_setting_proposal: MoneySettingProposalTable
}

export const own = tablesOf<PricingTables>()
