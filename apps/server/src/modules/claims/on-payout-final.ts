import type { Tx } from '../../platform/database/db.ts'
import { bytesOf } from '../chain/index.ts'
import { messageHolders } from '../messages/index.ts'
import type { FinalPayout, Payout } from '../payouts/index.ts'
import { setPartTx } from './claims.queries.ts'

const CAUSE = /^claim:(\d+):(now|later)$/

/** Records the final transaction of a part of a claim, and notifies its holder. Ignores payouts with another cause. */
export async function onClaimPayoutFinal(tx: Tx, payout: FinalPayout): Promise<void> {
  const part = readPart(payout.cause)
  if (part === undefined) return
  const claim = await setPartTx(tx, { ...part, txHash: bytesOf(payout.txHash) })
  if (claim === undefined) return
  await messageHolders(tx, [
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

/** Removes the transaction of a part of a claim that is gone from the chain. Ignores payouts with another cause. */
export async function onClaimPayoutUndone(tx: Tx, { cause }: Pick<Payout, 'cause'>): Promise<void> {
  const part = readPart(cause)
  if (part !== undefined) await setPartTx(tx, { ...part, txHash: null })
}

function readPart(cause: string): { claimId: bigint; name: 'now' | 'later' } | undefined {
  const [, id, name] = CAUSE.exec(cause) ?? []
  if (id === undefined || (name !== 'now' && name !== 'later')) return undefined
  return { claimId: BigInt(id), name }
}

/**
 * The placeholder for a transaction that is not final yet: 'RTX-' for the half sent immediately, 'RW-' for the rest.
 */
export function pendingPartName(name: 'now' | 'later', code: string): string {
  return `${name === 'now' ? 'RTX' : 'RW'}-${code}`
}
