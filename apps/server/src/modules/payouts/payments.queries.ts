import type { Hex } from 'viem'
import type { Tx } from '../../platform/database/db.ts'
import { bytesOf } from '../chain/index.ts'
import type { AccountKey } from './accounts.queries.ts'
import { own } from './payouts.tables.ts'

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
