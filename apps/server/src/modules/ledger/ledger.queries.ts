import { sql } from 'kysely'
import type { DbOrTx } from '../../platform/db.ts'
import type { Account } from './accounts.ts'
import './ledger.tables.ts'
import type { LedgerAsset } from './post-transfers.ts'

export type AccountTotals = {
  code: string
  asset: LedgerAsset
  side: 'credit' | 'debit' | 'free'
  debits: bigint
  credits: bigint
}

/**
 * Balances of accounts of one asset, by code: what stands on an account's own side (for `free` ones: credits minus
 * debits). An account without transfers has 0.
 */
export async function balances(
  db: DbOrTx,
  query: { asset: LedgerAsset; accounts: readonly Account[] },
): Promise<ReadonlyMap<string, bigint>> {
  const found = new Map(query.accounts.map((one) => [one.code, 0n]))
  if (found.size === 0) return found
  const rows = await db
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

/** Totals of every account whose code begins with `prefix`, shards summed, in the order of their codes. */
export async function accountTotals(
  db: DbOrTx,
  query: { asset: LedgerAsset; prefix: string },
): Promise<AccountTotals[]> {
  return db
    .selectFrom('ledger_account')
    .select((eb) => [
      'code',
      'asset',
      'side',
      eb.fn.sum<bigint>('debits').as('debits'),
      eb.fn.sum<bigint>('credits').as('credits'),
    ])
    .where('asset', '=', query.asset)
    .where('code', '^@', query.prefix)
    .groupBy(['code', 'asset', 'side'])
    .orderBy('code')
    .execute()
}

function signedBalance() {
  return sql<bigint>`sum(case when side = 'debit' then debits - credits else credits - debits end)`
}
