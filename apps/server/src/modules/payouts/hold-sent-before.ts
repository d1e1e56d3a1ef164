import type { Hex } from 'viem'
import type { Tx } from '../../platform/database/db.ts'
import { moveIntent } from './intents.queries.ts'
import { unusedOfAdmin } from './payments.queries.ts'

/**
 * Holds a new manual payout if an admin's wallet has already sent exactly this amount to the same address and that
 * transfer has not paid another payout. An admin either attaches that transaction or retries the payout.
 */
export async function holdIfSentBefore(
  tx: Tx,
  payout: { id: bigint; to: Hex; amount: bigint; at: Date },
): Promise<void> {
  const before = await unusedOfAdmin(tx, payout)
  if (before !== undefined) await holdBecauseOf(tx, payout.id, { ...before, at: payout.at })
}

/** Holds a manual payout that an admin's wallet may have paid already. */
export function holdBecauseOf(
  tx: Tx,
  payoutId: bigint,
  { txHash, at }: { txHash: Hex; at: Date },
): Promise<void> {
  const held = `An admin wallet has already sent exactly this amount to the same address, in ${txHash}. Attach that transaction if it paid this; otherwise retry the payout.`
  return moveIntent(tx, { table: 'payout', id: payoutId }, { held, at })
}
