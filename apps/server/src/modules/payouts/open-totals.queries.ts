import type { DbOrTx } from '../../platform/db.ts'
import type { Chain } from './payouts.tables.ts'
import './payouts.tables.ts'

export type OpenPayouts = {
  chain: Chain
  planCode: string | null
  count: number
  /** Base units of what the chain's payouts are in. */
  amount: bigint
}

/** What is owed and not paid yet, by chain and plan. */
export async function openPayoutTotals(db: DbOrTx): Promise<OpenPayouts[]> {
  const rows = await db
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
