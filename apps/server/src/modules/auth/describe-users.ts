import type { User } from '@dct/api-contract/auth'
import { type Dct, DECIMALS, formatUnits, type Usdt } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import { formatPercentage } from '@dct/rules/percentages'
import type { ReadDb } from '../../platform/database/db.ts'
import { describedUsers } from './users.queries.ts'

/** A user's figures from the referrals module. */
export type ReferralTotals = {
  /** Direct referrals. */
  referrals: number
  /** DCT locked by the whole downline. */
  omset: Dct
  directReward: Usdt
  directClaimed: Usdt
  indirectReward: Usdt
  indirectClaimed: Usdt
}
/** Unknown users are left out; their figures count as zero. Implemented by the referrals module. */
export type ReadReferralTotals = (
  db: ReadDb,
  userIds: readonly bigint[],
) => Promise<ReadonlyMap<bigint, ReferralTotals>>

export type DescribeUsersDeps = { readReferralTotals: ReadReferralTotals; dctDecimals: number }

const NOTHING: ReferralTotals = {
  referrals: 0,
  omset: 0n as Dct,
  directReward: 0n as Usdt,
  directClaimed: 0n as Usdt,
  indirectReward: 0n as Usdt,
  indirectClaimed: 0n as Usdt,
}

/** Users as the API shows them, in the order of `ids`; unknown ids are left out. */
export async function describeUsers(
  deps: DescribeUsersDeps,
  db: ReadDb,
  ids: readonly bigint[],
): Promise<User[]> {
  const [users, totals] = await Promise.all([
    describedUsers(db, ids),
    deps.readReferralTotals(db, ids),
  ])
  const byId = new Map(users.map((user) => [user.id, user]))
  return ids.flatMap((id) => {
    const user = byId.get(id)
    if (user === undefined) return []
    return [{ ...profileOf(user), ...totalsOf(totals.get(id) ?? NOTHING, deps.dctDecimals) }]
  })
}

function profileOf(user: Awaited<ReturnType<typeof describedUsers>>[number]) {
  return {
    id: String(user.id),
    tron_address: formatTronAddress(user.address),
    email: user.email,
    referrer_code: user.referrer_code,
    role: user.role,
    referral_code: user.referral_code,
    referrer_tron_address:
      user.referrer_address === null ? null : formatTronAddress(user.referrer_address),
    created_at: user.created_at.toISOString(),
    referral_reward_percentage: formatPercentage(BigInt(user.referral_reward_bps)),
  }
}

function totalsOf(totals: ReferralTotals, dctDecimals: number) {
  const usdt = (base: bigint) => formatUnits(base, DECIMALS.USDT)
  return {
    total_referrals: totals.referrals,
    total_referral_omset: formatUnits(totals.omset, dctDecimals),
    total_direct_reward: usdt(totals.directReward),
    total_indirect_reward: usdt(totals.indirectReward),
    total_direct_claimed: usdt(totals.directClaimed),
    total_indirect_claimed: usdt(totals.indirectClaimed),
    total_direct_unclaimed: usdt(totals.directReward - totals.directClaimed),
    total_indirect_unclaimed: usdt(totals.indirectReward - totals.indirectClaimed),
  }
}
