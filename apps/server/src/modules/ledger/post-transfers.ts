import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { type Tx, unread } from '../../platform/database/db.ts'
import { invariant } from '../../platform/errors.ts'
import type { Account } from './accounts.ts'

export type LedgerAsset = 'DCT' | 'USDT'

/** One movement of value. `kind` and `ref` together identify the business fact that it books. */
export type Transfer = {
  debit: Account
  credit: Account
  asset: LedgerAsset
  /** Base units. A transfer of zero is skipped. */
  amount: bigint
  kind: string
  ref: string
  /** In business time. */
  at: Date
}

/**
 * Books all of the transfers or none, in the caller's transaction. Booking the same fact again changes nothing; booking
 * it with different content is an error (23505). An account that is not sharded cannot be overdrawn (23514,
 * `ledger_account_not_overdrawn`). Pass all transfers of one fact in one call, which locks the accounts in a fixed
 * order.
 * @returns how many transfers were new
 */
export async function postTransfers(tx: Tx, transfers: readonly Transfer[]): Promise<number> {
  const posting = postingOf(transfers)
  if (posting === undefined) return 0
  return (await posting.execute(tx)).rows[0]?.written ?? 0
}

/**
 * Like `postTransfers`, for the last statement of a booking: it does not wait for the result. The accounts of the house
 * are shared by all bookings, so they are locked only for as long as writing and committing take.
 */
export async function postLast(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  const posting = postingOf(transfers)
  if (posting !== undefined) await unread(tx, posting)
}

function postingOf(transfers: readonly Transfer[]): RawBuilder<{ written: number }> | undefined {
  const entries = transfers.filter((transfer) => transfer.amount !== 0n).map(toEntry)
  if (entries.length === 0) return undefined
  return sql<{ written: number }>`select ledger_post(${JSON.stringify(entries)}::jsonb) as written`
}

function toEntry(transfer: Transfer) {
  const { debit, credit, asset, amount, kind, ref, at } = transfer
  invariant(amount > 0n, `a transfer of ${amount} (${kind} ${ref})`)
  return {
    debit: debit.code,
    debit_side: debit.side,
    debit_shard: shardOf(debit, ref),
    credit: credit.code,
    credit_side: credit.side,
    credit_shard: shardOf(credit, ref),
    asset,
    amount: amount.toString(),
    kind,
    ref,
    at: at.toISOString(),
  }
}

/** Depends on the reference alone, so that booking a fact again uses the same rows. */
function shardOf(account: Account, ref: string): number | null {
  if (!account.isSharded) return null
  return (createHash('sha256').update(ref).digest()[0] ?? 0) % 16
}
