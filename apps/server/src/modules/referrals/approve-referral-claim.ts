import type { ReferralPayouts } from '@dct/api-contract/referrals'
import { formatAmount } from '@dct/money'
import { formatEvmAddress, formatTronAddress } from '@dct/rules/addresses'
import { keccak256, stringToHex } from 'viem'
import type { RecordAdminAction } from '../../platform/admin-actions.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Db, type DbOrTx, inTransaction, type Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Logger } from '../../platform/logger.ts'
import { getUser } from '../auth/index.ts'
import { postTransfers } from '../ledger/index.ts'
import { createPayout } from '../payouts/index.ts'
import { payoutCauseOf } from './on-payout-final.ts'
import { payoutTransfer } from './referral-account.ts'
import {
  type ClaimRecord,
  commitFunds,
  findClaim,
  lockClaim,
  lockTreasury,
  markApproved,
  noteFirstApproval,
} from './referral-claims.queries.ts'

/** What the payout wallet held in a final block: USDT base units. */
export type SeenWallet = { usdt: bigint; blockNumber: bigint }

export type ApproveDeps = {
  db: Db
  clock: Clock
  log: Logger
  /** In `manual` an admin pays from a wallet of their own, and the payout wallet's balance is no condition. */
  payouts: ReferralPayouts
  /** USDT base units; a claim above it needs two admins. */
  secondApprovalAbove: bigint
  /** Throws when no node can say. */
  readPayoutWallet(): Promise<SeenWallet>
  recordAdminAction: RecordAdminAction
}
export type ApproveInput = { claimId: bigint; adminId: bigint }

/**
 * Approves a claim: from then on its amount is on its way to the holder, once. A claim above the
 * threshold takes two different admins.
 * @returns whether it is approved; false when the approval of a second admin is missing.
 * @throws Refusal `REFERRAL_CLAIM_NOT_FOUND`, `REFERRAL_CLAIM_APPROVED`, `REFERRAL_CLAIM_ENDED`,
 * `OWN_REFERRAL_CLAIM`, `SECOND_ADMIN_NEEDED`, `ADMIN_BALANCE_TOO_LOW`, `UNAVAILABLE`
 */
export async function approveReferralClaim(
  deps: ApproveDeps,
  input: ApproveInput,
): Promise<boolean> {
  await requireApprovable(deps.db, await findClaim(deps.db, input.claimId), input)
  const seen = deps.payouts === 'manual' ? null : await lookAtWallet(deps)
  return inTransaction(deps.db, async (tx) => {
    const claim = await requireApprovable(tx, await lockClaim(tx, input.claimId), input)
    const at = deps.clock.now()
    const needsTwo = claim.first_approved_by !== null || claim.amount > deps.secondApprovalAbove
    const isFirst = needsTwo && claim.first_approved_by === null
    if (isFirst) await noteFirstApproval(tx, { id: claim.id, adminId: input.adminId, at })
    else await payOut(tx, claim, { adminId: input.adminId, needsTwo, seen, at })
    await deps.recordAdminAction(tx, {
      adminId: input.adminId,
      action: isFirst ? 'referral_claim.approve_first' : 'referral_claim.approve',
      subject: `${claim.id}`,
      before: null,
      after: describeTerms(claim),
      at,
    })
    return !isFirst
  })
}

/** The claim, if this admin can approve it now. */
async function requireApprovable(
  db: DbOrTx,
  claim: ClaimRecord | undefined,
  { adminId }: ApproveInput,
): Promise<ClaimRecord> {
  if (claim === undefined) throw new Refusal('REFERRAL_CLAIM_NOT_FOUND')
  if (claim.state === 'declined') throw new Refusal('REFERRAL_CLAIM_ENDED', { state: claim.state })
  if (claim.approved_by !== null) {
    const admin = await getUser(db, claim.approved_by)
    const by = admin === undefined ? 'an admin' : formatTronAddress(admin.address)
    const message = `This claim was approved already by ${by}.`
    throw new Refusal('REFERRAL_CLAIM_APPROVED', { approve_by: by }, message)
  }
  if (claim.user_id === adminId) throw new Refusal('OWN_REFERRAL_CLAIM')
  if (claim.first_approved_by === adminId) throw new Refusal('SECOND_ADMIN_NEEDED')
  return claim
}

/** A balance that nobody can tell is unknown, not 0. */
async function lookAtWallet({ readPayoutWallet, log }: ApproveDeps): Promise<SeenWallet> {
  try {
    return await readPayoutWallet()
  } catch (error) {
    log.warn({ err: error }, 'payoutWalletUnknown')
    const message = 'The USDT balance of the payout wallet is not known now. Nothing was changed.'
    throw new Refusal('UNAVAILABLE', {}, message)
  }
}

async function payOut(
  tx: Tx,
  claim: ClaimRecord,
  approval: { adminId: bigint; needsTwo: boolean; seen: SeenWallet | null; at: Date },
): Promise<void> {
  const { adminId, needsTwo, seen, at } = approval
  const { id, amount } = claim
  await lockTreasury(tx)
  if (!(await commitFunds(tx, { amount, seen }))) throw new Refusal('ADMIN_BALANCE_TOO_LOW')
  const cause = payoutCauseOf(id)
  const payoutId = await createPayout(tx, {
    chain: 'BSC',
    asset: 'USDT',
    cause,
    payoutKey: keccak256(stringToHex(cause)),
    to: claim.usdt_address,
    amount,
    isByHand: seen === null,
    at,
  })
  await markApproved(tx, { id, adminId, needsTwo, payoutId, at })
  await postTransfers(tx, [payoutTransfer(claim, { direction: 'approved', payoutId, at })])
}

function describeTerms(claim: ClaimRecord) {
  return {
    amount_usdt: formatAmount('USDT', claim.amount),
    usdt_address: formatEvmAddress(claim.usdt_address),
  }
}
