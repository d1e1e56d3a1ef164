import type { DbOrTx } from '../../platform/db.ts'
import { type Chain, own } from './payouts.tables.ts'

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
    .where('state', 'in', ['queued', 'signed', 'held'])
    .groupBy(['chain', 'plan_code'])
    .execute()
  return rows.map((row) => ({
    chain: row.chain,
    planCode: row.plan_code,
    count: Number(row.count),
    amount: row.amount,
  }))
}

/** The number of unpaid payouts of each chain that has any, and when the oldest was made, in business time. */
export async function openPayoutAges(db: DbOrTx) {
  const rows = await own(db)
    .selectFrom('payout')
    .select((eb) => [
      'chain',
      eb.fn.countAll<bigint>().as('count'),
      eb.fn.min('created_at').as('oldestAt'),
    ])
    .where('state', 'in', ['queued', 'signed', 'held'])
    .groupBy('chain')
    .execute()
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}
