import type { DbOrTx } from '../../platform/database/db.ts'
import { HELD } from './intents.queries.ts'
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
      eb.fn.countAll<bigint>().filterWhere('state', '=', 'waiting').as('waiting'),
      eb.fn.countAll<bigint>().filterWhere('state', '=', 'sent').as('sent'),
      eb.fn.countAll<bigint>().filterWhere('wait_reason', '=', HELD).as('held'),
      eb.fn.min('created_at').as('oldestAt'),
    ])
    .where('state', 'in', OPEN_STATES)
    .groupBy('chain')
    .execute()
  return rows.map((row) => ({
    chain: row.chain,
    count: Number(row.count),
    waiting: Number(row.waiting),
    sent: Number(row.sent),
    held: Number(row.held),
    oldestAt: row.oldestAt,
  }))
}
