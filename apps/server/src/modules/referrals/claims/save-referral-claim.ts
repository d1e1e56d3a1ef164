import type { Usdt } from '@dct/money'
import { type Db, inTransaction, isViolationOf, type Tx } from '../../../platform/database/db.ts'
import { Refusal } from '../../../platform/errors.ts'
import {
  type ClaimedProof,
  countAttempt,
  type ProofDeps,
  proveReferralClaim,
  type ReferralClaimTerms,
  type SignedReferralClaim,
} from '../../auth/index.ts'
import { postTransfers } from '../../ledger/index.ts'
import { claimTransfer } from '../referral-account.ts'
import { lockBalance, moveClaimed } from '../rewards/rewards.queries.ts'
import { termsOf, type UnclaimedRewards, unclaimedRewards } from '../rewards/unclaimed-rewards.ts'
import {
  type ReferralClaimRequest,
  type ReferralClaimRules,
  readReferralClaimRequest,
} from './read-referral-claim-request.ts'
import { hasRequestedClaim, insertClaim, mergeClaims } from './referral-claims.queries.ts'
import { reportReferralClaim } from './report-referral-claim.ts'

export type SaveReferralClaimDeps = ReferralClaimRules &
  ProofDeps & {
    db: Db
    /** Per user and caller's network. */
    writesPerMinute: number
  }
export type SaveReferralClaimInput = ClaimedProof & {
  user: { id: bigint; address: Buffer }
  type: string
  usdtAddress: string
  ip: string
}
export type SavedClaim = { id: bigint; amount: Usdt }

/**
 * Moves exactly the rewards fixed in the signed text into one claim that awaits approval.
 * @throws Refusal like `readReferralClaimRequest` and `proveReferralClaim`, and `TOO_MANY_REQUESTS`, `REFERRAL_CLAIM_PENDING`,
 * `REFERRAL_CLAIM_CHANGED`
 */
export async function saveReferralClaim(
  deps: SaveReferralClaimDeps,
  input: SaveReferralClaimInput,
): Promise<SavedClaim> {
  const { user, nonce, signature } = input
  const request = await readReferralClaimRequest(deps, input)
  await countAttempt(deps, {
    action: 'referral_claim',
    ip: input.ip,
    subject: user.address.toString('hex'),
    perMinute: deps.writesPerMinute,
  })
  try {
    return await inTransaction(deps.db, async (tx) => {
      const proof = { nonce, signature, address: user.address }
      const signed = await proveReferralClaim(deps, tx, proof)
      requireAsSigned(signed.terms, request)
      return bookClaim(deps, tx, { userId: user.id, request, signed, at: deps.clock.now() })
    })
  } catch (error) {
    if (!isViolationOf(error, 'referral_claim_one_requested')) throw error
    throw new Refusal('REFERRAL_CLAIM_PENDING')
  }
}

/** The fields of the request must match the signed text. */
function requireAsSigned(terms: ReferralClaimTerms, request: ReferralClaimRequest): void {
  const isSame =
    (terms.kind === 'direct') === (request.kind === 'direct') &&
    terms.usdt_address === request.shownAddress
  if (!isSame) throw new Refusal('BAD_SIGNATURE')
}

async function bookClaim(
  rules: ReferralClaimRules,
  tx: Tx,
  claim: { userId: bigint; request: ReferralClaimRequest; signed: SignedReferralClaim; at: Date },
): Promise<SavedClaim> {
  const { userId, request, at } = claim
  const { terms, opening, closing, signature } = claim.signed
  const owner = { userId, kind: request.kind }
  await lockBalance(tx, owner)
  if (await hasRequestedClaim(tx, owner)) throw new Refusal('REFERRAL_CLAIM_PENDING')
  const throughRow = BigInt(terms.through_row ?? 0)
  const rewards = await unclaimedRewards(tx, { ...owner, throughRow })
  if (!isSameRewards(terms, termsOf(rules, request, rewards)))
    throw new Refusal('REFERRAL_CLAIM_CHANGED')
  const { id, ...facts } = await insertClaim(tx, {
    ...rewardColumns(rewards),
    ...{ opening, closing, signature },
    user_id: userId,
    kind: request.kind,
    usdt_address: request.usdtAddress,
    requested_at: at,
  })
  await mergeClaims(tx, { ids: rewards.endedClaims, into: id })
  await moveClaimed(tx, { ...owner, by: rewards.amount, claimedRows: throughRow })
  await postTransfers(tx, [claimTransfer({ id, ...facts }, { direction: 'made', at })])
  await reportReferralClaim(tx, { id, ...facts }, { step: 'made', at })
  return { id, amount: rewards.amount }
}

function rewardColumns({ amount, total, fromRow, throughRow }: UnclaimedRewards) {
  return { amount, total, from_row: fromRow, through_row: throughRow }
}

function isSameRewards(signed: ReferralClaimTerms, now: ReferralClaimTerms): boolean {
  return Object.keys(now).every((key) => signed[key] === now[key])
}
