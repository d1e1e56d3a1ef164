import type { Generated } from 'kysely'

export type DctPriceTable = {
  id: Generated<bigint>
  /** USDT for one DCT, 8 decimals. */
  price: bigint
  /** The admin's address; null when the installation's settings set it. */
  set_by: Buffer | null
  /** The second admin of a large step. */
  confirmed_by: Buffer | null
  at: Date
}

/** At most one row: the step that waits for a second admin. */
export type DctPriceProposalTable = {
  single: Generated<boolean>
  price: bigint
  proposed_by: Buffer
  at: Date
}

declare module '../../platform/db.ts' {
  interface DB {
    dct_price: DctPriceTable
    dct_price_proposal: DctPriceProposalTable
  }
}
