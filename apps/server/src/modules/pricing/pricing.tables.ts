import { tablesOf } from '../../platform/database/db.ts'
import type { AuthViews } from '../auth/index.ts'
import type { ProposalsViews } from '../proposals/index.ts'

/** A reading of the pair at a final block. */
export type PriceSampleTable = { block: bigint; price: bigint; at: Date }

export type PricingTables = {
  price_sample: PriceSampleTable
}

/** The tables of this module, and the views of other modules that it reads. */
export const own = tablesOf<PricingTables & ProposalsViews & AuthViews>()
