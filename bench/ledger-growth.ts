import { sql } from 'kysely'
import { account, postTransfers } from '../apps/server/src/modules/ledger/index.ts'
import { type Db, inTransaction } from '../apps/server/src/platform/database/db.ts'
import { bytes, count } from './figures.ts'
import type { Report } from './results.ts'
import { compare, type Spent, spending } from './spent.ts'

const POSTINGS = 200
const TRANSFERS = [100_000, 1_000_000] as const

/**
 * Measures what a booking costs as the ledger grows. The ledger's table has no partitions, because the key that
 * prevents a fact from being booked twice (kind and reference) would then have to contain the partition column.
 */
export async function benchLedgerGrowth(db: Db, report: Report): Promise<void> {
  let posted = 0
  const post = () =>
    spending(db, async () => {
      for (let n = 0; n < POSTINGS; n += 1, posted += 1) await postOne(db, posted)
    })
  await post()
  const measured: Spent[] = []
  let held = 0
  for (const transfers of TRANSFERS) {
    await fill(db, { from: held, to: transfers })
    held = transfers
    measured.push(await post())
  }
  const [early, late] = measured
  if (early === undefined || late === undefined) return
  const { rows } = await sql<{ table: bigint; indexes: bigint; count: bigint }>`
    select pg_table_size('ledger_transfer') as table, pg_indexes_size('ledger_transfer') as indexes,
      (select count(*) from ledger_transfer) as count`.execute(db)
  const [size] = rows
  if (size === undefined) return
  const each = (all: bigint) => bytes(Number(all) / Number(size.count))
  report(`Ledger, ${TRANSFERS[1]} transfers beside ${TRANSFERS[0]}`, {
    'a booking, pages': count(late.pages / POSTINGS, { wanted: 'less' }),
    ...compare('a booking, ratio', late, early),
    'bytes of a transfer: table': each(size.table),
    'bytes of a transfer: key': each(size.indexes),
  })
}

const postOne = (db: Db, n: number) =>
  inTransaction(db, (tx) =>
    postTransfers(tx, [
      {
        ...{ debit: account.credited('PLAN-720'), credit: account.lapsed('PLAN-720') },
        ...{ asset: 'DCT', amount: 1n, kind: 'reward_expired', ref: `bench ${n}`, at: new Date(0) },
      },
    ]),
  )

/** Inserts transfers with references like those of claims directly into the table, in the order of a live ledger. */
async function fill(db: Db, { from, to }: { from: number; to: number }): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into ledger_transfer
      select 'claim_requested', n::text, a.debit_id, a.credit_id, 'DCT', 1000000 + n % 1000, '2026-01-01'
      from (select debit_id, credit_id from ledger_transfer limit 1) a,
        generate_series(${from + 1}::bigint, ${to}::bigint) n`.execute(tx)
  })
}
