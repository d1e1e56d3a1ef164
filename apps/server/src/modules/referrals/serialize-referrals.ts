import type {
  ClaimPoolHistoryQuery,
  ClaimPoolHistoryReply,
  ReferralNode,
  ReferralReward,
  ReferralRewardsQuery,
  ReferralRewardsReply,
  ReferralSummary,
  ReferralTreeReply,
} from '@dct/api-contract/referrals'
import { formatAmount, formatUnits } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import { formatPercentage } from '@dct/rules/percentages'
import { describeShare, type ReferralKind } from '@dct/rules/referral-shares'
import type { DbOrTx, ReadDb } from '../../platform/database/db.ts'
import { instantsOf, listFrame, readDayRange } from '../../platform/http/lists.ts'
import { listClaims } from './claims/claim-pool.queries.ts'
import { usualWait } from './claims/claim-queue.queries.ts'
import { describeClaims } from './claims/describe-claim-pool.ts'
import { requestedAmounts } from './claims/referral-claims.queries.ts'
import { type ListedReward, listRewards } from './rewards/list-rewards.queries.ts'
import { readBalances } from './rewards/rewards.queries.ts'
import type { DownlineTree } from './tree/downline-tree.ts'
import type { ListedNode } from './tree/list-downline.ts'

/** The overview of a downline as the API shows it. */
export function describeTree({ members, levels, deeper, nodes }: DownlineTree): ReferralTreeReply {
  return {
    total_downline: members,
    levels: levels.map((count, at) => ({ level: at + 1, members: count })),
    deeper,
    nodes: nodes.map((node) => ({
      level: node.level,
      parent: node.parent,
      tron_address: formatTronAddress(node.address),
      total_referrals: node.referrals,
    })),
  }
}

export function describeNode(node: ListedNode, dctDecimals: number): ReferralNode {
  return {
    level: node.level,
    tron_address: formatTronAddress(node.address),
    referral_code: node.referralCode,
    created_at: node.createdAt.toISOString(),
    total_locked_amount: formatUnits(node.locked, dctDecimals),
    total_referrals: node.referrals,
  }
}

/** A user's earned, claimed and claimable amounts of both kinds. */
export async function describeSummary(
  db: DbOrTx,
  user: { id: bigint; address: Uint8Array },
): Promise<ReferralSummary> {
  const [balances, waiting] = await Promise.all([
    readBalances(db, [user.id]),
    requestedAmounts(db, user.id),
  ])
  const figuresOf = (kind: ReferralKind) => {
    const found = balances.find((one) => one.kind === kind)
    const { earned, claimed } = found ?? { earned: 0n, claimed: 0n }
    return {
      reward: formatAmount('USDT', earned),
      claimed: formatAmount('USDT', claimed),
      unclaimed: formatAmount('USDT', earned - claimed),
    }
  }
  const direct = figuresOf('direct')
  const indirect = figuresOf('indirect')
  return {
    tron_address: formatTronAddress(user.address),
    total_direct_reward: direct.reward,
    total_direct_claimed: direct.claimed,
    total_direct_unclaimed: direct.unclaimed,
    total_indirect_reward: indirect.reward,
    total_indirect_claimed: indirect.claimed,
    total_indirect_unclaimed: indirect.unclaimed,
    waiting_direct: formatAmount('USDT', waiting.direct),
    waiting_indirect: formatAmount('USDT', waiting.indirect),
  }
}

/** One page of a user's rewards. */
export async function answerRewards(
  db: ReadDb,
  userId: bigint,
  query: ReferralRewardsQuery,
): Promise<ReferralRewardsReply> {
  const range = instantsOf(readDayRange(query))
  const { rows, total } = await listRewards(db, userId, { ...query, ...range })
  return { referral_rewards: rows.map(describeReward), ...listFrame(query, total) }
}

export function describeReward(row: ListedReward): ReferralReward {
  return {
    id: `${row.id}`,
    from_tron_address: formatTronAddress(row.from_address),
    earning_plan_code: row.plan_code,
    reward_amount: formatAmount('USDT', row.amount),
    reward_description: describeShare(row),
    fee_amount: formatAmount('USDT', row.fee_usdt),
    rate_percentage: formatPercentage(BigInt(row.rate_bps)),
    created_at: row.created_at.toISOString(),
  }
}

/** One page of a user's referral claims. */
export async function answerClaims(
  db: ReadDb,
  userId: bigint,
  query: ClaimPoolHistoryQuery,
): Promise<ClaimPoolHistoryReply> {
  const range = instantsOf(readDayRange(query))
  const { rows, total } = await listClaims(db, { ...query, ...range, userId })
  const wait = await usualWait(db)
  return {
    referral_claim_pool: await describeClaims(db, rows),
    ...listFrame(query, total),
    usual_wait:
      wait === undefined
        ? null
        : {
            approval_seconds: wait.approvalSeconds,
            payment_seconds: wait.paymentSeconds,
            claims: wait.claims,
          },
  }
}
