import type { Hex } from 'viem'
import type { Tx } from '../../platform/database/db.ts'
import { type ChainEvent, hexOf } from '../chain/index.ts'
import type { AccountKey } from './accounts.queries.ts'
import { type BookDeps, bookPayment } from './book-payment.ts'

/** The stake that the reward contract's RewardPaid paid. */
export function stakePaid({ args }: ChainEvent): AccountKey {
  return { chain: 'TRON', holder: args.to as Hex, name: args.planCode ?? '' }
}

/** Handles the reward contract's RewardPaid. */
export async function onRewardPaid(deps: BookDeps, tx: Tx, event: ChainEvent): Promise<void> {
  const to = event.args.to as Hex
  await bookPayment(deps, tx, {
    ...placeOf(event),
    account: stakePaid(event),
    from: hexOf(event.address),
    to,
    amount: BigInt(event.args.amount ?? 0),
    total: BigInt(event.args.total ?? 0),
  })
}

function placeOf({ txHash, logIndex, blockNumber, blockTime }: ChainEvent) {
  return { txHash: hexOf(txHash), logIndex, blockNumber, blockTime }
}
