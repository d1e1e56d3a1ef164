import type { Tx } from '../../platform/database/db.ts'
import { bytesOf } from '../chain/index.ts'
import { tellHolders } from '../notices/index.ts'
import type { FinalPayout } from '../payouts/index.ts'
import { setPartTx } from './claims.queries.ts'

const CAUSE = /^claim:(\d+):(now|later)$/

/** Records the final transaction of a part of a claim, and notifies its holder. Ignores payouts with another cause. */
export async function onClaimPayoutFinal(tx: Tx, payout: FinalPayout): Promise<void> {
  const [, id, name] = CAUSE.exec(payout.cause) ?? []
  if (id === undefined || (name !== 'now' && name !== 'later')) return
  const part = { claimId: BigInt(id), name, txHash: bytesOf(payout.txHash) } as const
  const claim = await setPartTx(tx, part)
  if (claim === undefined) return
  await tellHolders(tx, [
    {
      ...{ userId: claim.user_id, kind: 'reward_sent', at: payout.blockTime },
      key: `${payout.txHash}:${payout.cause}`,
      facts: {
        plan_code: claim.plan_code,
        claim_code: claim.code_claim,
        amount: { asset: 'DCT', units: payout.amount },
        tx_hash: payout.txHash,
      },
    },
  ])
}

/**
 * The placeholder for a transaction that is not final yet: 'RTX-' for the half sent immediately, 'RW-' for the rest.
 */
export function pendingPartName(name: 'now' | 'later', code: string): string {
  return `${name === 'now' ? 'RTX' : 'RW'}-${code}`
}
