import type { Hex } from 'viem'
import type { Db, DbOrTx, Tx } from '../../platform/db.ts'
import { bytesOf, hexOf } from '../chain/index.ts'
import { BY_HAND, PAYOUT_COLUMNS, type Payout, readPayout } from './create-payout.ts'
import './payouts.tables.ts'

/** Leaves USDT payouts that nobody has begun to the admins. @returns how many there were */
export async function handOver(db: Db, at: Date): Promise<number> {
  const left = await db
    .updateTable('payout')
    .set({ is_by_hand: true, wait_reason: BY_HAND, wait_detail: null, waiting_since: at })
    .where('chain', '=', 'BSC')
    .where('state', '=', 'queued')
    .where('is_by_hand', '=', false)
    .executeTakeFirst()
  return Number(left.numUpdatedRows)
}

/** The oldest payout by hand that is owed exactly this. */
export async function handPayoutLike(
  tx: Tx,
  payment: { to: Hex; amount: bigint },
): Promise<Payout | undefined> {
  const row = await tx
    .selectFrom('payout')
    .select(PAYOUT_COLUMNS)
    .where('is_by_hand', '=', true)
    .where('state', 'in', ['queued', 'held'])
    .where('to_address', '=', bytesOf(payment.to))
    .where('amount', '=', payment.amount)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row && readPayout(row)
}

export type HandPayout = Payout & {
  state: 'queued' | 'signed' | 'final' | 'held' | 'void'
  isByHand: boolean
  finalTx: Hex | null
  createdAt: Date
}

export async function findHandPayout(db: DbOrTx, id: bigint): Promise<HandPayout | undefined> {
  const row = await db
    .selectFrom('payout')
    .select([...PAYOUT_COLUMNS, 'state', 'is_by_hand', 'final_tx', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    ...readPayout(row),
    state: row.state,
    isByHand: row.is_by_hand,
    finalTx: row.final_tx === null ? null : hexOf(row.final_tx),
    createdAt: row.created_at,
  }
}

/** Notes the transaction that an admin named for a payout; a later one takes its place. */
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
  await tx
    .insertInto('hand_payment')
    .values({ payout_id: named.payoutId, ...values })
    .onConflict((conflict) => conflict.column('payout_id').doUpdateSet(values))
    .execute()
}

export type NamedPayment = { payoutId: bigint; txHash: Hex; namedAt: Date }

/** Named transactions that may still become payments and were not looked at since `before`. */
export async function openNamed(
  db: Db,
  query: { before: Date; limit: number },
): Promise<NamedPayment[]> {
  const rows = await db
    .selectFrom('hand_payment as h')
    .innerJoin('payout as p', 'p.id', 'h.payout_id')
    .select(['h.payout_id', 'h.tx_hash', 'h.named_at'])
    .where('p.state', 'in', ['queued', 'held'])
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

/** Notes what a look at a named transaction said. One that was replaced meanwhile is left alone. */
export async function noteLook(
  db: DbOrTx,
  look: { payoutId: bigint; txHash: Hex; at: Date; problem: string | null },
): Promise<void> {
  await db
    .updateTable('hand_payment')
    .set({ checked_at: look.at, problem: look.problem })
    .where('payout_id', '=', look.payoutId)
    .where('tx_hash', '=', bytesOf(look.txHash))
    .execute()
}

/** Whether a transaction was signed by the service, for whatever it was. */
export async function isOwnTransaction(db: DbOrTx, txHash: Hex): Promise<boolean> {
  const row = await db
    .selectFrom('send_attempt')
    .select('id')
    .where('tx_hash', '=', bytesOf(txHash))
    .executeTakeFirst()
  return row !== undefined
}

/** Keeps an open payment from being used twice. False when it is used or explained. */
export async function lockOpenPayment(
  tx: Tx,
  place: { txHash: Hex; logIndex: number },
): Promise<boolean> {
  const row = await tx
    .selectFrom('chain_payment')
    .select('log_index')
    .where('chain', '=', 'BSC')
    .where('tx_hash', '=', bytesOf(place.txHash))
    .where('log_index', '=', place.logIndex)
    .where('payout_id', 'is', null)
    .where('explanation', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}
