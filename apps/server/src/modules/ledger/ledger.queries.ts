import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import type { Account } from './accounts.ts'
import { own } from './ledger.tables.ts'
import type { LedgerAsset } from './post-transfers.ts'

/**
 * Balances of accounts in one asset, by code. A balance is positive on the account's normal side (for `free` accounts:
 * credits minus debits). An account without transfers has 0.
 */
export async function balances(
  db: DbOrTx,
  query: { asset: LedgerAsset; accounts: readonly Account[] },
): Promise<ReadonlyMap<string, bigint>> {
  const found = new Map(query.accounts.map((one) => [one.code, 0n]))
  if (found.size === 0) return found
  const rows = await own(db)
    .selectFrom('ledger_account')
    .select(['code', signedBalance().as('balance')])
    .where('asset', '=', query.asset)
    .where('code', 'in', [...found.keys()])
    .groupBy(['code', 'side'])
    .execute()
  for (const row of rows) found.set(row.code, row.balance)
  return found
}

/** The balance of one account; see `balances`. */
export async function balanceOf(
  db: DbOrTx,
  query: { asset: LedgerAsset; account: Account },
): Promise<bigint> {
  const found = await balances(db, { asset: query.asset, accounts: [query.account] })
  return found.get(query.account.code) ?? 0n
}

/**
 * The reference for booking a fact that may have been booked and taken back before: the one given, or a numbered one. The
 * caller knows that the fact is not booked at present.
 */
export async function unusedRef(tx: Tx, kind: string, ref: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const numbered = count === 1 ? ref : `${ref}:${count}`
    const used = await own(tx)
      .selectFrom('ledger_transfer')
      .select('ref')
      .where('kind', '=', kind)
      .where('ref', '=', numbered)
      .executeTakeFirst()
    if (used === undefined) return numbered
  }
}

/**
 * What was ever credited to accounts in one asset, by code, without transfers of these kinds and less what transfers of
 * these kinds debited. They are added up, so they must be rare.
 */
export async function creditsWithout(
  db: DbOrTx,
  query: { asset: LedgerAsset; accounts: readonly Account[]; kinds: readonly string[] },
): Promise<ReadonlyMap<string, bigint>> {
  const found = new Map(query.accounts.map((one) => [one.code, 0n]))
  const { rows } = await sql<{ code: string; credited: bigint }>`
    with moved as materialized (
      select credit_id, debit_id, amount from ledger_transfer
      where kind = any(${query.kinds}::text[]) and asset = ${query.asset})
    select a.code, sum(a.credits) - coalesce(max(w.amount), 0) as credited
    from ledger_account a left join (
      select c.code, sum(m.amount) as amount from moved m
        join ledger_account c on c.id in (m.credit_id, m.debit_id) group by c.code
    ) w on w.code = a.code
    where a.asset = ${query.asset} and a.code = any(${[...found.keys()]}::text[])
    group by a.code`.execute(db)
  for (const { code, credited } of rows) found.set(code, credited)
  return found
}

function signedBalance() {
  return sql<bigint>`sum(case when side = 'debit' then debits - credits else credits - debits end)`
}
