import type { Hex } from 'viem'
import type { Tx } from '../../platform/database/db.ts'
import { type ChainEvent, hexOf } from '../chain/index.ts'
import { type BookDeps, bookPayment } from './book-payment.ts'

/** Handles the reward contract's RewardPaid. */
export async function onRewardPaid(deps: BookDeps, tx: Tx, event: ChainEvent): Promise<void> {
  const to = event.args.to as Hex
  await bookPayment(deps, tx, {
    ...placeOf(event),
    account: { chain: 'TRON', holder: to, name: event.args.planCode ?? '' },
    from: hexOf(event.address),
    to,
    amount: BigInt(event.args.amount ?? 0),
    total: BigInt(event.args.total ?? 0),
  })
}

function placeOf({ txHash, logIndex, blockNumber, blockTime }: ChainEvent) {
  return { txHash: hexOf(txHash), logIndex, blockNumber, blockTime }
}
