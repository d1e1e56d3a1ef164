import { sql } from 'kysely'
import type { Hex } from 'viem'
import type { DbOrTx, Tx } from '../../platform/db.ts'
import { bytesOf, hexOf } from '../chain/index.ts'
import type { Chain } from './payouts.tables.ts'
import './payouts.tables.ts'

/** A payment of ours that a watcher saw in a final block. */
export type SeenPayment = {
  chain: Chain
  txHash: Hex
  logIndex: number
  /** Of the reward contract's payments only. */
  payoutKey: Hex | null
  planCode: string | null
  to: Hex
  amount: bigint
  blockNumber: bigint
  blockTime: Date
}

/** Records a payment once. False when it was recorded before. */
export async function insertPayment(tx: Tx, seen: SeenPayment): Promise<boolean> {
  const made = await tx
    .insertInto('chain_payment')
    .values({
      chain: seen.chain,
      tx_hash: bytesOf(seen.txHash),
      log_index: seen.logIndex,
      payout_key: seen.payoutKey === null ? null : bytesOf(seen.payoutKey),
      plan_code: seen.planCode,
      to_address: bytesOf(seen.to),
      amount: seen.amount,
      block_number: seen.blockNumber,
      block_time: seen.blockTime,
      payout_id: null,
      explanation: null,
    })
    .onConflict((conflict) => conflict.columns(['chain', 'tx_hash', 'log_index']).doNothing())
    .executeTakeFirst()
  return (made.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Says what a payment that belongs to no payout was. Undefined when there is no such open payment. */
export async function explainPayment(
  tx: Tx,
  payment: { chain: Chain; txHash: Hex; logIndex: number; explanation: string },
): Promise<{ amount: bigint; planCode: string | null } | undefined> {
  const row = await tx
    .updateTable('chain_payment')
    .set({ explanation: payment.explanation })
    .where('chain', '=', payment.chain)
    .where('tx_hash', '=', bytesOf(payment.txHash))
    .where('log_index', '=', payment.logIndex)
    .where('payout_id', 'is', null)
    .where('explanation', 'is', null)
    .returning(['amount', 'plan_code'])
    .executeTakeFirst()
  return row && { amount: row.amount, planCode: row.plan_code }
}

export type OpenPayment = SeenPayment

/** Payments on chain that no payout of ours explains, oldest first. */
export async function openPayments(
  db: DbOrTx,
  query: { chain: Chain; payoutKey?: Hex; to?: Hex; limit: number },
): Promise<OpenPayment[]> {
  const { payoutKey, to } = query
  const rows = await db
    .selectFrom('chain_payment')
    .select(['chain', 'tx_hash', 'log_index', 'payout_key', 'plan_code', 'to_address'])
    .select(['amount', 'block_number', 'block_time'])
    .where('chain', '=', query.chain)
    .where('payout_id', 'is', null)
    .where('explanation', 'is', null)
    .$if(payoutKey !== undefined, (rest) =>
      rest.where('payout_key', '=', bytesOf(payoutKey ?? '0x')),
    )
    .$if(to !== undefined, (rest) => rest.where('to_address', '=', bytesOf(to ?? '0x')))
    .orderBy('block_number')
    .orderBy('log_index')
    .limit(query.limit)
    .execute()
  return rows.map((row) => ({
    chain: row.chain,
    txHash: hexOf(row.tx_hash),
    logIndex: row.log_index,
    payoutKey: row.payout_key === null ? null : hexOf(row.payout_key),
    planCode: row.plan_code,
    to: hexOf(row.to_address),
    amount: row.amount,
    blockNumber: row.block_number,
    blockTime: row.block_time,
  }))
}

/**
 * What our books know of payments to one staker under one plan: `booked` is final, `onTheWay` is
 * signed and undecided.
 */
export async function knownPaymentsOf(
  db: DbOrTx,
  stake: { planCode: string; to: Hex },
): Promise<{ booked: bigint; onTheWay: bigint }> {
  const { rows } = await sql<{ booked: bigint; on_the_way: bigint }>`
    select
      coalesce(sum(amount) filter (where state = 'final'), 0)
        + (select coalesce(sum(amount), 0) from chain_payment
           where chain = 'TRON' and to_address = ${bytesOf(stake.to)} and plan_code = ${stake.planCode}
             and payout_id is null and explanation is not null) as booked,
      coalesce(sum(amount) filter (where state <> 'final' and exists (
        select from send_attempt a where a.payout_id = payout.id and a.state = 'LIVE')), 0) as on_the_way
    from payout
    where to_address = ${bytesOf(stake.to)} and plan_code = ${stake.planCode} and chain = 'TRON'`.execute(
    db,
  )
  const [row] = rows
  return { booked: row?.booked ?? 0n, onTheWay: row?.on_the_way ?? 0n }
}

/** The payout that one of our own transactions was signed for. */
export async function payoutOfTransaction(tx: Tx, txHash: Hex): Promise<bigint | undefined> {
  const row = await tx
    .selectFrom('send_attempt')
    .select('payout_id')
    .where('tx_hash', '=', bytesOf(txHash))
    .executeTakeFirst()
  return row?.payout_id ?? undefined
}
