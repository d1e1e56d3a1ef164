import { formatAmount } from '@dct/money'
import { formatEvmAddress, formatTronAddress } from '@dct/rules/addresses'
import type { Clock } from '../../../platform/clock.ts'
import type { RecordAdminAction } from '../../../platform/database/admin-actions.ts'
import { type Db, type DbOrTx, inTransaction, type Tx } from '../../../platform/database/db.ts'
import { invariant, Refusal } from '../../../platform/errors.ts'
import { getUser, hasOtherAdmin } from '../../auth/index.ts'
import { postTransfers } from '../../ledger/index.ts'
import { createPayout } from '../../payouts/index.ts'
import { type Deciders, decide, findProposal } from '../../proposals/index.ts'
import { payoutTransfer } from '../referral-account.ts'
import { payoutCauseOf } from './on-payout-final.ts'
import {
  type ClaimRecord,
  commitFunds,
  findClaim,
  lockClaim,
  lockTreasury,
  markApproved,
  markHalfApproved,
} from './referral-claims.queries.ts'
import { reportReferralClaim } from './report-referral-claim.ts'

/** The USDT balance of the vault at a final block, in base units. */
export type SeenWallet = { usdt: bigint; blockNumber: bigint }

export type ApproveDeps = {
  db: Db
  clock: Clock
  /** USDT base units; a larger claim needs two admins, if there are two. */
  secondApprovalAbove: bigint
  /** Throws if no node answers. */
  readPayoutWallet(): Promise<SeenWallet>
  recordAdminAction: RecordAdminAction
}
export type ApproveInput = { claimId: bigint; adminId: bigint }

/**
 * Approves a claim, which creates its payout, exactly once. A claim above the threshold needs two different admins, if
 * there are two.
 * @returns whether it is approved; false if it still awaits a second admin
 * @throws Refusal `REFERRAL_CLAIM_NOT_FOUND`, `REFERRAL_CLAIM_APPROVED`, `REFERRAL_CLAIM_ENDED`, `OWN_REFERRAL_CLAIM`,
 * `SECOND_ADMIN_NEEDED`, `ADMIN_BALANCE_TOO_LOW`, `UNAVAILABLE`
 */
export async function approveReferralClaim(
  deps: ApproveDeps,
  input: ApproveInput,
): Promise<boolean> {
  const at = deps.clock.now()
  await requireApprovable(deps.db, await findClaim(deps.db, input.claimId), { ...input, at })
  const seen = await inspectWallet(deps)
  return inTransaction(deps.db, async (tx) => {
    const claim = await requireApprovable(tx, await lockClaim(tx, input.claimId), { ...input, at })
    const { id, amount } = claim
    const { adminId } = input
    const needsTwo = amount > deps.secondApprovalAbove && (await hasOtherAdmin(tx, { adminId, at }))
    const decision = { ...approvalOf(id), value: amount, adminId, needsTwo, at }
    const by = await decide(tx, decision)
    if (by === undefined) await markHalfApproved(tx, id)
    else await payOut(tx, claim, { by, seen, at })
    await deps.recordAdminAction(tx, {
      adminId,
      action: by === undefined ? 'referral_claim.approve_first' : 'referral_claim.approve',
      subject: `${id}`,
      before: null,
      after: describeTerms(claim),
      at,
    })
    return by !== undefined
  })
}

const approvalOf = (claimId: bigint) => ({ kind: 'referral_claim', subject: claimId }) as const

/** Returns the claim if this admin may approve it now; otherwise throws. */
async function requireApprovable(
  db: DbOrTx,
  claim: ClaimRecord | undefined,
  { adminId, at }: ApproveInput & { at: Date },
): Promise<ClaimRecord> {
  if (claim === undefined) throw new Refusal('REFERRAL_CLAIM_NOT_FOUND')
  if (claim.state === 'declined') throw new Refusal('REFERRAL_CLAIM_ENDED', { state: claim.state })
  if (claim.approved_by !== null) {
    const admin = await getUser(db, claim.approved_by)
    const by = admin === undefined ? 'an admin' : formatTronAddress(admin.address)
    const message = `This claim has already been approved by ${by}.`
    throw new Refusal('REFERRAL_CLAIM_APPROVED', { approve_by: by }, message)
  }
  if (claim.user_id === adminId) throw new Refusal('OWN_REFERRAL_CLAIM')
  const first = await findProposal(db, approvalOf(claim.id))
  if (first?.proposedBy === adminId && (await hasOtherAdmin(db, { adminId, at }))) {
    throw new Refusal('SECOND_ADMIN_NEEDED')
  }
  return claim
}

/** A balance that cannot be read is unknown, not 0. */
async function inspectWallet({ readPayoutWallet }: ApproveDeps): Promise<SeenWallet> {
  try {
    return await readPayoutWallet()
  } catch (error) {
    const message = 'The USDT balance of the vault is currently unknown. Nothing was changed.'
    throw new Refusal('UNAVAILABLE', {}, message, { cause: error })
  }
}

async function payOut(
  tx: Tx,
  claim: ClaimRecord,
  approval: { by: Deciders; seen: SeenWallet; at: Date },
): Promise<void> {
  const { by, seen, at } = approval
  const { id, amount } = claim
  await lockTreasury(tx)
  if (!(await commitFunds(tx, { amount, seen }))) throw new Refusal('ADMIN_BALANCE_TOO_LOW')
  const cause = payoutCauseOf(id)
  const referrer = await getUser(tx, claim.user_id)
  invariant(referrer !== undefined, `the claimant of ${id} exists`)
  const payoutId = await createPayout(tx, {
    account: { chain: 'BSC', holder: `0x${referrer.address.toString('hex')}`, name: claim.kind },
    cause,
    to: claim.usdt_address,
    amount,
    at,
  })
  await markApproved(tx, { id, by, payoutId, at })
  await postTransfers(tx, [payoutTransfer(claim, { direction: 'approved', payoutId, at })])
  await reportReferralClaim(tx, claim, { step: 'approved', at })
}

function describeTerms(claim: ClaimRecord) {
  return {
    amount_usdt: formatAmount('USDT', claim.amount),
    usdt_address: formatEvmAddress(claim.usdt_address),
  }
}
