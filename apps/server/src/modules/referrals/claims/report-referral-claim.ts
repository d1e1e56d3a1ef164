import { formatEvmAddress, formatTronAddress } from '@dct/rules/addresses'
import type { Hex } from 'viem'
import type { Tx } from '../../../platform/database/db.ts'
import { writeEvent } from '../../../platform/outbox/write-messages.ts'
import { getUser } from '../../auth/index.ts'
import type { ClaimRecord } from './referral-claims.queries.ts'

type Reported = Pick<ClaimRecord, 'id' | 'user_id' | 'kind' | 'amount' | 'usdt_address'>

/** Sends a webhook event for a claim that was made or approved. */
export async function reportReferralClaim(
  tx: Tx,
  claim: Reported,
  { step, at }: { step: 'made' | 'approved'; at: Date },
): Promise<void> {
  await writeEvent(tx, { type: `referral_claim.${step}`, at, data: await describe(tx, claim) })
}

/** Sends a webhook event for a claim that was paid. */
export async function reportReferralClaimPaid(
  tx: Tx,
  claim: Reported,
  { txHash, at }: { txHash: Hex; at: Date },
): Promise<void> {
  await writeEvent(tx, {
    type: 'referral_claim.paid',
    key: `${txHash}:${claim.id}`,
    at,
    data: { ...(await describe(tx, claim)), tx_hash: txHash },
  })
}

async function describe(tx: Tx, claim: Reported) {
  const user = await getUser(tx, claim.user_id)
  return {
    claim_id: `${claim.id}`,
    holder: user === undefined ? null : formatTronAddress(user.address),
    bonus_type: claim.kind,
    amount: { asset: 'USDT', units: claim.amount },
    usdt_address: formatEvmAddress(claim.usdt_address),
  } as const
}
