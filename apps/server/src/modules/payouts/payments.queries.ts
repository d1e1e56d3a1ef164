import { sql } from 'kysely'
import type { Hex } from 'viem'
import type { Tx } from '../../platform/database/db.ts'
import { bytesOf } from '../chain/index.ts'
import type { AccountKey } from './accounts.queries.ts'
import { type Chain, own } from './payouts.tables.ts'

/** Forgets a payment that is no longer on chain. False when it was not recorded. */
export async function deletePayment(
  tx: Tx,
  seen: { chain: Chain; txHash: Hex; logIndex: number },
): Promise<boolean> {
  const gone = await own(tx)
    .deleteFrom('chain_payment')
    .where('chain', '=', seen.chain)
    .where('tx_hash', '=', bytesOf(seen.txHash))
    .where('log_index', '=', seen.logIndex)
    .executeTakeFirst()
  return gone.numDeletedRows > 0n
}

/** What an account was paid by the payments that are recorded: the highest total, and the sum of their amounts. */
export async function sumPayments(
  tx: Tx,
  accountId: bigint,
): Promise<{ total: bigint; amounts: bigint }> {
  const zero = sql<bigint>`0`
  return own(tx)
    .selectFrom('chain_payment')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.max('total'), zero).as('total'),
      eb.fn.coalesce(eb.fn.sum<bigint>('amount'), zero).as('amounts'),
    ])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
}

/** Records a payment that a watcher saw in a final block. False when it was recorded before. */
export async function insertPayment(
  tx: Tx,
  seen: {
    txHash: Hex
    logIndex: number
    account: AccountKey
    accountId: bigint
    from: Hex
    to: Hex
    amount: bigint
    total: bigint
    blockNumber: bigint
    blockTime: Date
  },
): Promise<boolean> {
  const { chain, name } = seen.account
  const made = await own(tx)
    .insertInto('chain_payment')
    .values({
      chain,
      tx_hash: bytesOf(seen.txHash),
      log_index: seen.logIndex,
      account_id: seen.accountId,
      total: seen.total,
      plan_code: chain === 'TRON' ? name : null,
      from_address: bytesOf(seen.from),
      to_address: bytesOf(seen.to),
      amount: seen.amount,
      block_number: seen.blockNumber,
      block_time: seen.blockTime,
    })
    .onConflict((conflict) => conflict.columns(['chain', 'tx_hash', 'log_index']).doNothing())
    .executeTakeFirst()
  return (made.numInsertedOrUpdatedRows ?? 0n) > 0n
}
