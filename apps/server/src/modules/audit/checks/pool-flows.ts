import { sql } from 'kysely'

/**
 * SQL for what came into each plan's reward funds and left them, by the ledger. A payment that the chain took back is a
 * transfer in the opposite direction there; on chain it never was.
 */
export const poolFlows = sql`
  with undone as materialized (
    select debit_id, sum(amount) as amount from ledger_transfer_view
    where kind = 'payment.undone' and asset = 'DCT' group by debit_id)
  select split_part(a.code, ':', 2) as plan, a.debits - coalesce(u.amount, 0) as came,
    a.credits - coalesce(u.amount, 0) as went
  from ledger_account_view a left join undone u on u.debit_id = a.id
  where a.asset = 'DCT' and a.code like 'chain_pool:%'`
