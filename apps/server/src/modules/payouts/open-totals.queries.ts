import type { DbOrTx } from '../../platform/database/db.ts'
import { type Chain, OPEN_STATES, own } from './payouts.tables.ts'

export type OpenPayouts = {
  chain: Chain
  planCode: string | null
  count: number
  /** Base units of the asset that is paid on the chain. */
  amount: bigint
}

/** Unpaid payouts, totalled by chain and plan. */
export async function openPayoutTotals(db: DbOrTx): Promise<OpenPayouts[]> {
  const rows = await own(db)
    .selectFrom('payout')
    .select((eb) => [
      'chain',
      'plan_code',
      eb.fn.countAll<bigint>().as('count'),
      eb.fn.sum<bigint>('amount').as('amount'),
    ])
    .where('state', 'in', OPEN_STATES)
    .groupBy(['chain', 'plan_code'])
    .execute()
  return rows.map((row) => ({
    chain: row.chain,
    planCode: row.plan_code,
    count: Number(row.count),
    amount: row.amount,
  }))
}

/** Of each chain with unpaid payouts, how many there are in each state, and when the oldest was made, in business time. */
export async function payoutBacklog(db: DbOrTx) {
  const rows = await own(db)
    .selectFrom('payout')
    .select((eb) => [
      'chain',
      eb.fn.countAll<bigint>().as('count'),
      eb.fn.countAll<bigint>().filterWhere('state', '=', 'queued').as('queued'),
      eb.fn.countAll<bigint>().filterWhere('state', '=', 'signed').as('signed'),
      eb.fn.countAll<bigint>().filterWhere('state', '=', 'held').as('held'),
      eb.fn.min('created_at').as('oldestAt'),
    ])
    .where('state', 'in', OPEN_STATES)
    .groupBy('chain')
    .execute()
  return rows.map((row) => ({
    chain: row.chain,
    count: Number(row.count),
    queued: Number(row.queued),
    signed: Number(row.signed),
    held: Number(row.held),
    oldestAt: row.oldestAt,
  }))
}
