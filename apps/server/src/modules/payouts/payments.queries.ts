import { sql } from 'kysely'
import type { Hex } from 'viem'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import { bytesOf, hexOf } from '../chain/index.ts'
import type { AccountKey } from './accounts.queries.ts'
import { type Chain, type ChainPaymentTable, own } from './payouts.tables.ts'

/** A payment by the service, or from an admin's wallet, that a watcher saw in a final block. */
export type SeenPayment = {
  chain: Chain
  txHash: Hex
  logIndex: number
  planCode: string | null
  from: Hex
  to: Hex
  amount: bigint
  blockNumber: bigint
  blockTime: Date
}

/** Records a payment, if it is known with the account that it paid. False when it was recorded before. */
export async function insertPayment(
  tx: Tx,
  seen: Omit<SeenPayment, 'chain' | 'planCode'> & {
    account?: AccountKey
    accountId?: bigint
    total?: bigint
  },
): Promise<boolean> {
  const chain = seen.account?.chain ?? 'BSC'
  const planCode = seen.account?.chain === 'TRON' ? seen.account.name : null
  const made = await own(tx)
    .insertInto('chain_payment')
    .values({
      chain,
      tx_hash: bytesOf(seen.txHash),
      log_index: seen.logIndex,
      account_id: seen.accountId ?? null,
      total: seen.total ?? null,
      plan_code: planCode,
      from_address: bytesOf(seen.from),
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

/** Stores an explanation for a payment that belongs to no payout. Undefined when there is no such open payment. */
export async function explainPayment(
  tx: Tx,
  payment: { chain: Chain; txHash: Hex; logIndex: number; explanation: string },
): Promise<{ amount: bigint; planCode: string | null } | undefined> {
  const row = await own(tx)
    .updateTable('chain_payment')
    .set({ explanation: payment.explanation })
    .where('chain', '=', payment.chain)
    .where('tx_hash', '=', bytesOf(payment.txHash))
    .where('log_index', '=', payment.logIndex)
    .where('payout_id', 'is', null)
    .where('account_id', 'is', null)
    .where('explanation', 'is', null)
    .returning(['amount', 'plan_code'])
    .executeTakeFirst()
  return row && { amount: row.amount, planCode: row.plan_code }
}

/** Payments on chain that have neither a payout nor an explanation, oldest first. */
export async function openPayments(
  db: DbOrTx,
  query: { chain: Chain; to?: Hex; amount?: bigint; limit: number },
): Promise<SeenPayment[]> {
  const { to, amount } = query
  const rows = await own(db)
    .selectFrom('chain_payment')
    .select(PAYMENT_COLUMNS)
    .where('chain', '=', query.chain)
    .where('payout_id', 'is', null)
    .where('account_id', 'is', null)
    .where('explanation', 'is', null)
    .$if(to !== undefined, (rest) => rest.where('to_address', '=', bytesOf(to ?? '0x')))
    .$if(amount !== undefined, (rest) => rest.where('amount', '=', amount ?? 0n))
    .orderBy('block_number')
    .orderBy('log_index')
    .limit(query.limit)
    .execute()
  return rows.map(readPayment)
}

/**
 * Whether a payment from one of our BSC wallets belongs to no payout and is not explained. It may be one that this
 * database lost, for example with a restored dump, and that it would make again.
 */
export async function hasUnknownPayment(db: DbOrTx): Promise<boolean> {
  return (await openPayments(db, { chain: 'BSC', limit: 1 })).length > 0
}

/**
 * Open payments that may belong to a payout: to its receiver, of its amount and under its plan. While there is one, the
 * payout must neither be sent again nor returned.
 */
export async function fittingPayments(
  db: DbOrTx,
  payout: { chain: Chain; to: Hex; amount: bigint; planCode: string | null },
): Promise<SeenPayment[]> {
  const { chain, to, amount, planCode } = payout
  const seen = await openPayments(db, { chain, to, amount, limit: MOST_FITTING })
  return seen.filter((payment) => payment.planCode === planCode)
}

/** The explanation of a payment from an admin's wallet that has not paid a payout (yet). */
export const OF_AN_ADMIN = 'from a wallet of an admin'

/** Condition for payments that pay nothing yet and may still be matched to a payout. */
export const isUnused = sql<boolean>`payout_id is null and account_id is null and (explanation is null or explanation = ${OF_AN_ADMIN}
  and from_address in (select address from own_address_view where role = 'admin_wallet'))`

/** A payment of exactly this amount to this address from an admin's wallet, if it has not paid a payout. */
export async function unusedOfAdmin(
  tx: Tx,
  { to, amount }: { to: Hex; amount: bigint },
): Promise<SeenPayment | undefined> {
  const row = await own(tx)
    .selectFrom('chain_payment')
    .select(PAYMENT_COLUMNS)
    .where('chain', '=', 'BSC')
    .where('to_address', '=', bytesOf(to))
    .where('amount', '=', amount)
    .where('explanation', '=', OF_AN_ADMIN)
    .where(isUnused)
    .orderBy('block_number')
    .limit(1)
    .executeTakeFirst()
  return row && readPayment(row)
}

/** Locks an unused payment so that it cannot be used twice. False when it is used or explained. */
export async function lockOpenPayment(
  tx: Tx,
  place: { chain: Chain; txHash: Hex; logIndex: number },
): Promise<boolean> {
  const row = await own(tx)
    .selectFrom('chain_payment')
    .select('log_index')
    .where('chain', '=', place.chain)
    .where('tx_hash', '=', bytesOf(place.txHash))
    .where('log_index', '=', place.logIndex)
    .where(isUnused)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Payments from a BSC wallet that this database did not sign and whose nonces are not accounted for yet, newest first.
 */
export async function unsignedPayments(
  db: DbOrTx,
  { from, limit }: { from: Hex; limit: number },
): Promise<(SeenPayment & { isSettled: boolean })[]> {
  const rows = await own(db)
    .selectFrom('chain_payment as seen')
    .select(PAYMENT_COLUMNS)
    .select(['payout_id', 'explanation'])
    .where('chain', '=', 'BSC')
    .where('from_address', '=', bytesOf(from))
    .where(
      sql<boolean>`not exists (select from send_attempt a where a.tx_hash = seen.tx_hash)
        and not exists (select from sender_nonce n where n.chain = 'BSC' and n.sender = seen.from_address
          and n.end_proof->>'txHash' = '0x' || encode(seen.tx_hash, 'hex'))`,
    )
    .orderBy('block_number', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    ...readPayment(row),
    isSettled: row.payout_id !== null || row.explanation !== null,
  }))
}

const MOST_FITTING = 50

const PAYMENT_COLUMNS = [
  'chain',
  'tx_hash',
  'log_index',
  'plan_code',
  'from_address',
  'to_address',
  'amount',
  'block_number',
  'block_time',
] as const

type PaymentRow = Pick<ChainPaymentTable, (typeof PAYMENT_COLUMNS)[number]>

function readPayment(row: PaymentRow): SeenPayment {
  return {
    chain: row.chain,
    txHash: hexOf(row.tx_hash),
    logIndex: row.log_index,
    planCode: row.plan_code,
    from: hexOf(row.from_address),
    to: hexOf(row.to_address),
    amount: row.amount,
    blockNumber: row.block_number,
    blockTime: row.block_time,
  }
}

/** The payout that one of the service's own transactions was signed for. */
export async function payoutOfTransaction(tx: Tx, txHash: Hex): Promise<bigint | undefined> {
  const row = await own(tx)
    .selectFrom('send_attempt')
    .select('payout_id')
    .where('tx_hash', '=', bytesOf(txHash))
    .executeTakeFirst()
  return row?.payout_id ?? undefined
}
