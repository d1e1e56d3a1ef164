import { sql } from 'kysely'
import type { DbOrTx } from '../../../platform/database/db.ts'
import {
  type AuditCheck,
  compareAll,
  differingOnly,
  type Figures,
  type HoldScope,
  MAX_LISTED,
} from '../audit-check.ts'

/** The consistency of the ledger itself. */
export const ledgerChecks: readonly AuditCheck[] = [
  { name: 'entries sum to zero per asset', run: sumsToZero },
  { name: 'no account is overdrawn', run: noneOverdrawn },
  { name: 'accounts equal their transfers', isFullOnly: true, run: accountsEqualTransfers },
]

async function sumsToZero(db: DbOrTx) {
  const { rows } = await sql<Figures>`
    select asset as subject, sum(debits) as expected, sum(credits) as found
    from ledger_account_view group by asset order by asset`.execute(db)
  return compareAll(rows, ofAsset)
}

/** A difference in an asset as a whole affects all payouts in it. */
function ofAsset({ subject }: Figures): HoldScope {
  return { kind: 'chain', chain: subject.startsWith('DCT') ? 'TRON' : 'BSC' }
}

/**
 * No constraint covers the sum of a sharded account's rows. Accounts whose opening balance is not booked yet are left
 * out.
 */
async function noneOverdrawn(db: DbOrTx) {
  const { rows } = await sql<Figures & { compared: bigint }>`
    with balances as (
      select asset || ' ' || code as subject,
        sum(case side when 'debit' then debits - credits else credits - debits end) as balance
      from ledger_account_view where is_sharded and side <> 'free' and not exists (
        select from own_address_view o where o.role = code and not exists (
          select from wallet_opening w where w.address = o.address))
      group by asset, code)
    select subject, 0::numeric as expected, balance as found from balances where balance < 0
    order by subject limit ${MAX_LISTED}`.execute(db)
  const counted = await sql<{ count: bigint }>`
    select count(distinct (asset, code)) from ledger_account_view where is_sharded`.execute(db)
  return differingOnly(rows, counted.rows[0]?.count ?? 0n, ofAsset)
}

async function accountsEqualTransfers(db: DbOrTx) {
  const { rows } = await sql<Figures>`
    with moved as materialized (
      select id, sum(debit) as debits, sum(credit) as credits from (
        select debit_id as id, amount as debit, 0 as credit from ledger_transfer_view
        union all select credit_id, 0, amount from ledger_transfer_view) m group by id)
    select a.asset || ' ' || a.code || ' (' || a.shard || ')' as subject,
      coalesce(m.debits, 0) - coalesce(m.credits, 0) as expected, a.debits - a.credits as found
    from ledger_account_view a left join moved m on m.id = a.id
    where a.debits <> coalesce(m.debits, 0) or a.credits <> coalesce(m.credits, 0)
    order by 1 limit ${MAX_LISTED}`.execute(db)
  const counted = await sql<{ count: bigint }>`select count(*) from ledger_account_view`.execute(db)
  return differingOnly(rows, counted.rows[0]?.count ?? 0n, ofAsset)
}
