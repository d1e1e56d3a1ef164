import type { AdminRewardRecord, RewardRecord } from '@dct/api-contract/earnings'
import { formatAmount } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import type { RewardRecordRow } from './reward-rows.queries.ts'

/** A cycle as its holder sees it. */
export function describeReward(row: RewardRecordRow, dctDecimals: number): RewardRecord {
  return {
    reward_date: row.day,
    earning_plan_code: row.planCode,
    reward_amount: formatAmount('DCT', row.amount, dctDecimals),
    cycle: row.cycle,
    lapsed_amount: formatAmount('DCT', row.lapsed ?? 0n, dctDecimals),
    is_counted: row.isCounted,
  }
}

/** A cycle as admins see it. */
export function describeAnyReward(row: RewardRecordRow, dctDecimals: number): AdminRewardRecord {
  return {
    ...describeReward(row, dctDecimals),
    tron_address: formatTronAddress(row.staker),
    locked_amount: formatAmount('DCT', row.locked, dctDecimals),
  }
}
