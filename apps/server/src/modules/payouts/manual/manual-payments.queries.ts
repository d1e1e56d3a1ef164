import type { Hex } from 'viem'
import type { Db, DbOrTx, Tx } from '../../../platform/database/db.ts'
import { bytesOf, hexOf } from '../../chain/index.ts'
import { MANUAL, PAYOUT_COLUMNS, type Payout, readPayout } from '../create-payout.ts'
import { own, type PayoutState } from '../payouts.tables.ts'

/**
 * Turns queued USDT payouts into manual ones, for admins to pay.
 * @returns how many there were
 */
export async function handOver(db: Db, at: Date): Promise<number> {
  const left = await own(db)
    .updateTable('payout')
    .set({ is_manual: true, wait_reason: MANUAL, wait_detail: null, waiting_since: at })
    .where('chain', '=', 'BSC')
    .where('state', '=', 'waiting')
    .where('is_manual', '=', false)
    .executeTakeFirst()
  return Number(left.numUpdatedRows)
}

/** The oldest unpaid manual payout of exactly this amount to this address. */
export async function manualPayoutOwed(
  tx: Tx,
  payment: { to: Hex; amount: bigint },
): Promise<PayoutRecord | undefined> {
  const row = await own(tx)
    .selectFrom('payout')
    .select('id')
    .where('is_manual', '=', true)
    .where('state', 'in', ['waiting'])
    .where('to_address', '=', bytesOf(payment.to))
    .where('amount', '=', payment.amount)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row && findPayout(tx, row.id)
}

export type PayoutRecord = Payout & {
  state: PayoutState
  isManual: boolean
  finalTx: Hex | null
  createdAt: Date
}

/** A payout by its id, whether an admin or the service pays it. */
export async function findPayout(db: DbOrTx, id: bigint): Promise<PayoutRecord | undefined> {
  const row = await own(db)
    .selectFrom('payout')
    .select([...PAYOUT_COLUMNS, 'state', 'is_manual', 'final_tx', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    ...readPayout(row),
    state: row.state,
    isManual: row.is_manual,
    finalTx: row.final_tx === null ? null : hexOf(row.final_tx),
    createdAt: row.created_at,
  }
}

/** Stores the transaction that an admin named for a payout, replacing an earlier one. */
export async function saveNamed(
  tx: Tx,
  named: { payoutId: bigint; txHash: Hex; adminId: bigint; at: Date },
): Promise<void> {
  const values = {
    tx_hash: bytesOf(named.txHash),
    named_by: named.adminId,
    named_at: named.at,
    checked_at: null,
    problem: null,
  }
  await own(tx)
    .insertInto('manual_payment')
    .values({ payout_id: named.payoutId, ...values })
    .onConflict((conflict) => conflict.column('payout_id').doUpdateSet(values))
    .execute()
}

export type NamedPayment = { payoutId: bigint; txHash: Hex; namedAt: Date }

/** Named transactions that may still become payments and were not checked since `before`. */
export async function openNamed(
  db: Db,
  query: { before: Date; limit: number },
): Promise<NamedPayment[]> {
  const rows = await own(db)
    .selectFrom('manual_payment as h')
    .innerJoin('payout as p', 'p.id', 'h.payout_id')
    .select(['h.payout_id', 'h.tx_hash', 'h.named_at'])
    .where('p.state', 'in', ['waiting'])
    .where('h.problem', 'is', null)
    .where((eb) => eb.or([eb('h.checked_at', 'is', null), eb('h.checked_at', '<', query.before)]))
    .orderBy('h.checked_at', (order) => order.asc().nullsFirst())
    .limit(query.limit)
    .execute()
  return rows.map((row) => ({
    payoutId: row.payout_id,
    txHash: hexOf(row.tx_hash),
    namedAt: row.named_at,
  }))
}

/** Stores the result of checking a named transaction. Does nothing if another one was named in the meantime. */
export async function recordCheck(
  db: Db | Tx,
  check: { payoutId: bigint; txHash: Hex; at: Date; problem: string | null },
): Promise<void> {
  await own(db)
    .updateTable('manual_payment')
    .set({ checked_at: check.at, problem: check.problem })
    .where('payout_id', '=', check.payoutId)
    .where('tx_hash', '=', bytesOf(check.txHash))
    .execute()
}

/** Whether the service signed a transaction, for whatever purpose. */
export async function isOwnTransaction(db: DbOrTx, txHash: Hex): Promise<boolean> {
  const row = await own(db)
    .selectFrom('send_attempt')
    .select('id')
    .where('tx_hash', '=', bytesOf(txHash))
    .executeTakeFirst()
  return row !== undefined
}
