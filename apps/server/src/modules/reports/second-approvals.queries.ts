import type { SecondApprovalsReply } from '@dct/api-contract/reports'
import { formatAmount } from '@dct/money'
import { formatEvmAddress, formatTronAddress } from '@dct/rules/addresses'
import { formatPercentage } from '@dct/rules/percentages'
import type { DbOrTx } from '../../platform/database/db.ts'
import { hasOtherAdmin } from '../auth/index.ts'
import { RATE_PROPOSAL_LIFE_MS } from '../referrals/index.ts'
import { own } from './reports.tables.ts'

/** The maximum number of listed entries of each kind. */
const MOST = 100

/** Actions started by one admin that another must confirm, oldest first. Expired percentage proposals are left out. */
export async function secondApprovals(
  db: DbOrTx,
  { adminId, now }: { adminId: bigint; now: Date },
): Promise<SecondApprovalsReply> {
  const isLone = !(await hasOtherAdmin(db, { adminId, at: now }))
  const claims = await own(db)
    .selectFrom('referral_claim_view as c')
    .innerJoin('app_user_view as u', 'u.id', 'c.user_id')
    .innerJoin('app_user_view as f', 'f.id', 'c.first_approved_by')
    .select(['c.id', 'c.amount', 'c.kind', 'c.usdt_address', 'c.user_id', 'c.first_approved_by'])
    .select(['c.first_approved_at', 'u.address', 'f.address as approver'])
    .where('c.state', '=', 'requested')
    .orderBy('c.first_approved_at')
    .limit(MOST)
    .execute()
  const since = new Date(now.getTime() - RATE_PROPOSAL_LIFE_MS)
  const proposals = await own(db)
    .selectFrom('referral_rate_proposal_view as p')
    .innerJoin('app_user_view as u', 'u.id', 'p.user_id')
    .innerJoin('app_user_view as a', 'a.id', 'p.proposed_by')
    .select(['p.rate_bps', 'p.proposed_by', 'p.at', 'u.address', 'u.referral_reward_bps'])
    .select('a.address as proposer')
    .where('p.at', '>', since)
    .where('u.deleted_at', 'is', null)
    .orderBy('p.at')
    .limit(MOST)
    .execute()
  return {
    claims: claims.map((claim) => ({
      id: `${claim.id}`,
      tron_address: formatTronAddress(claim.address),
      amount_usdt: formatAmount('USDT', claim.amount),
      usdt_address: formatEvmAddress(claim.usdt_address),
      bonus_type: claim.kind === 'direct' ? 'direct bonus' : 'non-direct',
      first_approve_by: formatTronAddress(claim.approver),
      first_approve_at: (claim.first_approved_at ?? now).toISOString(),
      is_mine: claim.user_id === adminId || (!isLone && claim.first_approved_by === adminId),
    })),
    percentages: proposals.map((proposal) => ({
      tron_address: formatTronAddress(proposal.address),
      old_percentage: formatPercentage(BigInt(proposal.referral_reward_bps)),
      new_percentage: formatPercentage(BigInt(proposal.rate_bps)),
      proposed_by: formatTronAddress(proposal.proposer),
      proposed_at: proposal.at.toISOString(),
      expires_at: new Date(proposal.at.getTime() + RATE_PROPOSAL_LIFE_MS).toISOString(),
      is_mine: !isLone && proposal.proposed_by === adminId,
    })),
  }
}
