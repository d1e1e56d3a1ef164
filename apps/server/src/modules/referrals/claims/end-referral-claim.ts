import type { AdminActionName } from '@dct/api-contract/codes'
import { formatAmount } from '@dct/money'
import type { Clock } from '../../../platform/clock.ts'
import type { RecordAdminAction } from '../../../platform/database/admin-actions.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/database/db.ts'
import { Refusal } from '../../../platform/errors.ts'
import { postTransfers } from '../../ledger/index.ts'
import { voidPayout } from '../../payouts/index.ts'
import { dropProposal } from '../../proposals/index.ts'
import { claimTransfer, payoutTransfer } from '../referral-account.ts'
import { moveClaimed } from '../rewards/rewards.queries.ts'
import { type ClaimRecord, findClaim, markEnded, releaseFunds } from './referral-claims.queries.ts'

export type EndClaimDeps = { db: Db; clock: Clock; recordAdminAction: RecordAdminAction }
export type EndClaimInput = { claimId: bigint; adminId: bigint; reason: string }

/**
 * Declines a claim that awaits approval: its amount can be claimed again.
 * @throws Refusal `REFERRAL_CLAIM_NOT_FOUND`, `REFERRAL_CLAIM_ENDED`
 */
export async function declineReferralClaim(
  deps: EndClaimDeps,
  input: EndClaimInput,
): Promise<void> {
  const { claimId: id, adminId, reason } = input
  const at = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    if ((await findClaim(tx, id)) === undefined) throw new Refusal('REFERRAL_CLAIM_NOT_FOUND')
    const end = { id, from: 'requested', to: 'declined', adminId, reason, at } as const
    const claim = await markEnded(tx, end)
    if (claim === undefined) throw new Refusal('REFERRAL_CLAIM_ENDED')
    await dropProposal(tx, { kind: 'referral_claim', subject: id })
    await giveBack(tx, claim)
    await postTransfers(tx, [claimTransfer(claim, { direction: 'declined', at })])
    await record(deps, tx, { action: 'referral_claim.decline', claim, input, at })
  })
}

/**
 * Returns the amount of an approved claim that cannot be paid, once no transaction signed for it can take effect any
 * more. The amount can then be claimed again.
 * @throws Refusal `REFERRAL_CLAIM_NOT_FOUND`, `REFERRAL_CLAIM_NOT_APPROVED`, `PAYOUT_SIGNED`, `PAYOUT_ENDED`
 */
export async function returnReferralClaim(deps: EndClaimDeps, input: EndClaimInput): Promise<void> {
  const { claimId: id, adminId, reason } = input
  const at = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    const found = await findClaim(tx, id)
    if (found === undefined) throw new Refusal('REFERRAL_CLAIM_NOT_FOUND')
    const payoutId = found.payout_id
    if (payoutId === null || found.state !== 'approved') {
      throw new Refusal('REFERRAL_CLAIM_NOT_APPROVED')
    }
    // The payout is locked first: a payment locks both in the same order.
    await voidPayout(tx, payoutId)
    const end = { id, from: 'approved', to: 'returned', adminId, reason, at } as const
    const claim = await markEnded(tx, end)
    if (claim === undefined) throw new Refusal('REFERRAL_CLAIM_NOT_APPROVED')
    await releaseFunds(tx, claim.amount)
    await giveBack(tx, claim)
    await postTransfers(tx, [payoutTransfer(claim, { direction: 'returned', payoutId, at })])
    await record(deps, tx, { action: 'referral_claim.return', claim, input, at })
  })
}

async function giveBack(tx: Tx, claim: ClaimRecord): Promise<void> {
  await moveClaimed(tx, { userId: claim.user_id, kind: claim.kind, by: -claim.amount })
}

async function record(
  { recordAdminAction }: EndClaimDeps,
  tx: Tx,
  end: { action: AdminActionName; claim: ClaimRecord; input: EndClaimInput; at: Date },
): Promise<void> {
  await recordAdminAction(tx, {
    adminId: end.input.adminId,
    action: end.action,
    subject: `${end.claim.id}`,
    before: null,
    after: { amount_usdt: formatAmount('USDT', end.claim.amount), reason: end.input.reason },
    at: end.at,
  })
}
