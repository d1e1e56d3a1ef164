import type { Hex } from 'viem'
import type { Tx } from '../../../platform/database/db.ts'
import { insertPayment, lockOpenPayment } from '../payments.queries.ts'
import type { ExactTransfer } from './check-manual-payment.ts'

/** Columns that only payments of the reward contract use. */
const NO_REWARD = { chain: 'BSC', payoutKey: null, planCode: null } as const

/**
 * Assigns the first of these USDT transfers that pays nothing else, recording it unless the watcher already has.
 * @returns undefined when all of them are used
 */
export async function assignTransfer(
  tx: Tx,
  payment: { txHash: Hex; blockNumber: bigint; blockTime: Date; to: Hex; amount: bigint },
  transfers: readonly ExactTransfer[],
): Promise<ExactTransfer | undefined> {
  for (const transfer of transfers) {
    const { logIndex, from } = transfer
    const seen = { ...payment, logIndex, from, ...NO_REWARD } as const
    await insertPayment(tx, seen)
    if (await lockOpenPayment(tx, seen)) return transfer
  }
  return undefined
}
