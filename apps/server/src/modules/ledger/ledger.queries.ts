import { sql } from 'kysely'
import type { DbOrTx } from '../../platform/database/db.ts'
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

function signedBalance() {
  return sql<bigint>`sum(case when side = 'debit' then debits - credits else credits - debits end)`
}
