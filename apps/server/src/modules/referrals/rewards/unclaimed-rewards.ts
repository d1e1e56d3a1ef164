import { amount, formatAmount, type Usdt } from '@dct/money'
import type { ReferralKind } from '@dct/rules/referral-shares'
import type { Tx } from '../../../platform/database/db.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { ReferralClaimTerms } from '../../auth/index.ts'
import {
  type ReferralClaimRequest,
  type ReferralClaimRules,
  readReferralClaimRequest,
} from '../claims/read-referral-claim-request.ts'
import {
  approvedAmount,
  hasRequestedClaim,
  unclaimedEndedClaims,
} from '../claims/referral-claims.queries.ts'
import { earnedThrough, readBalance } from './rewards.queries.ts'

/**
 * The rewards of a claim: those with numbers after `fromRow` up to and including `throughRow`, and those of ended
 * claims.
 */
export type UnclaimedRewards = {
  fromRow: bigint
  throughRow: bigint
  endedClaims: readonly bigint[]
  amount: Usdt
  /** With all that was approved before: the most that may be paid for this user and kind, once this is approved. */
  total: Usdt
}

/**
 * All rewards of one kind that are in no claim now. With `throughRow`, only those up to that number.
 * @throws Refusal `REFERRAL_CLAIM_CHANGED` when a claim already covers rewards beyond that number
 */
export async function unclaimedRewards(
  tx: Tx,
  owner: { userId: bigint; kind: ReferralKind; throughRow?: bigint },
): Promise<UnclaimedRewards> {
  const balance = await readBalance(tx, owner)
  const throughRow = owner.throughRow ?? balance.rowCount
  if (throughRow < balance.claimedRows) throw new Refusal('REFERRAL_CLAIM_CHANGED')
  const endedClaims = await unclaimedEndedClaims(tx, owner)
  const earned = await earnedThrough(tx, { ...owner, rowNumber: throughRow })
  const unclaimed = amount('USDT', earned - balance.claimed)
  return {
    fromRow: balance.claimedRows,
    throughRow,
    endedClaims,
    amount: unclaimed,
    total: amount('USDT', (await approvedAmount(tx, owner)) + unclaimed),
  }
}

/**
 * Determines the terms of a claim when its text is made: the rewards, their sum and the receiving address.
 * @throws Refusal like `readReferralClaimRequest`, and `REFERRAL_CLAIM_PENDING`, `NOTHING_TO_CLAIM_REFERRAL`
 */
export async function prepareReferralClaim(
  rules: ReferralClaimRules,
  tx: Tx,
  input: { userId: bigint; type: string; usdtAddress: string },
): Promise<ReferralClaimTerms> {
  const request = await readReferralClaimRequest(rules, input)
  const owner = { userId: input.userId, kind: request.kind }
  if (await hasRequestedClaim(tx, owner)) throw new Refusal('REFERRAL_CLAIM_PENDING')
  const rewards = await unclaimedRewards(tx, owner)
  if (rewards.amount === 0n) throw new Refusal('NOTHING_TO_CLAIM_REFERRAL')
  return termsOf(rules, request, rewards)
}

/** The terms that the challenge stores; the same rewards always give the same terms. */
export function termsOf(
  { vault }: ReferralClaimRules,
  request: ReferralClaimRequest,
  rewards: UnclaimedRewards,
) {
  return {
    amount_usdt: formatAmount('USDT', rewards.amount),
    total_usdt: formatAmount('USDT', rewards.total),
    kind: request.kind === 'direct' ? 'direct' : 'non-direct',
    usdt_address: request.shownAddress,
    vault: vault.address,
    bsc_chain_id: `${vault.chainId}`,
    from_row: `${rewards.fromRow}`,
    through_row: `${rewards.throughRow}`,
    ended_claims: rewards.endedClaims.join(','),
  } satisfies ReferralClaimTerms
}
