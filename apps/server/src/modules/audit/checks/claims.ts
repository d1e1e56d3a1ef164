import { sql } from 'kysely'
import type { DbOrTx } from '../../../platform/database/db.ts'
import {
  type AuditCheck,
  compareAll,
  differingOnly,
  type Figures,
  holdPlan,
  MAX_LISTED,
  type PlanFigures,
} from '../audit-check.ts'
import { cycleSums } from './cycle-sums.ts'

/** Claims, the cycles that they cover and the payments that settle them. */
export const claimChecks: readonly AuditCheck[] = [
  { name: 'a claim is the sum of its cycles', isFullOnly: true, run: claimsEqualCycles },
  { name: 'a claim’s account holds the amount that waits for its fee', run: claimAccounts },
  { name: 'every USDT receipt is booked', run: receiptsAreBooked },
]

async function claimsEqualCycles(db: DbOrTx) {
  const { rows } = await sql<PlanFigures>`
    with taken as (
      select c.id, c.code_claim, c.plan_code, c.amount,
        ${cycleSums({ after: sql`c.first_cycle - 1`, through: sql`c.last_cycle` }).credited} as cycles
      from claim_view c join earning_view e on e.id = c.earning_id
      where c.state <> 'cancelled')
    select code_claim as subject, plan_code as plan, cycles as expected, amount as found from taken
    where cycles <> amount order by id limit ${MAX_LISTED}`.execute(db)
  return differingOnly(rows, await countClaims(db), holdPlan(rows))
}

/** Only an open claim has a balance: its remaining part. */
async function claimAccounts(db: DbOrTx, { isFull }: { isFull: boolean }) {
  const which = isFull ? sql`true` : sql`c.state = 'awaiting_fee'`
  const { rows } = await sql<PlanFigures>`
    select c.code_claim as subject, c.plan_code as plan,
      case when c.state = 'awaiting_fee' then c.later_amount else 0 end as expected,
      coalesce(a.credits - a.debits, 0) as found
    from claim_view c left join ledger_account_view a on a.code = 'claim:' || c.id and a.asset = 'DCT' and a.shard = 0
    where ${which} and coalesce(a.credits - a.debits, 0)
      <> case when c.state = 'awaiting_fee' then c.later_amount else 0 end
    order by c.id limit ${MAX_LISTED}`.execute(db)
  return differingOnly(rows, await countClaims(db), holdPlan(rows))
}

/**
 * Every receipt was debited to the fee receivers' account on arrival. Transfers between our own receivers stay within
 * that account and are not booked; a top-up of the vault credits it. Opening balances have no receipt.
 */
async function receiptsAreBooked(db: DbOrTx) {
  const { rows } = await sql<Figures>`
    with opened as materialized (
      select debit_id, sum(amount) as amount from ledger_transfer_view
      where kind in ('wallet.opened', 'wallet.opening_corrected') group by debit_id)
    select 'received in all' as subject,
      (select coalesce(sum(amount), 0) from usdt_receipt_view
        where state <> 'internal' or from_address in (
          select address from own_address_view where role = 'payout_wallet'))
      as expected,
      (select coalesce(sum(debits), 0) from ledger_account_view
        where asset = 'USDT' and code = 'fee_receiver')
      - (select coalesce(sum(o.amount), 0) from opened o join ledger_account_view a on a.id = o.debit_id
        where a.code = 'fee_receiver')
      as found`.execute(db)
  return compareAll(rows)
}

async function countClaims(db: DbOrTx): Promise<bigint> {
  const { rows } = await sql<{ count: bigint }>`select count(*) from claim_view`.execute(db)
  return rows[0]?.count ?? 0n
}
