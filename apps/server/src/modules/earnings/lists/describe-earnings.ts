import type { AdminEarning, UserEarning } from '@dct/api-contract/earnings'
import { ERRORS, type ErrorCode } from '@dct/api-contract/errors'
import { type Dct, formatAmount, parseAmount } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import { CLAIM_MIN_DCT, FREEZE_AFTER_CYCLES, FREEZE_GRACE_CYCLES } from '@dct/rules/constants'
import {
  countingCycles,
  creditedCyclesLeft,
  firstClaimableCycle,
  freezeReason,
  freezeWarning,
} from '@dct/rules/freezing'
import { dailyReward, rewardThrough } from '@dct/rules/rewards'
import { addDays, type Clock } from '../../../platform/clock.ts'
import type { ReadDb } from '../../../platform/database/db.ts'
import { capitalState } from '../capital.ts'
import { claimUntil } from '../claimable.ts'
import { type EarningFacts, readEarningFacts } from './earning-facts.queries.ts'
import type { StakeRecord } from './stake-records.queries.ts'

export type DescribeDeps = { clock: Clock; dctDecimals: number }
export type ReadingDeps = DescribeDeps & { db: ReadDb }

/** Stakes as the API shows them: the stored record and the state derived from it now. */
export async function describeEarnings(
  deps: ReadingDeps,
  records: readonly StakeRecord[],
): Promise<AdminEarning[]> {
  const ids = records.flatMap(({ earning_id: id }) => (id === null ? [] : [id]))
  const facts = await readEarningFacts(deps.db, ids)
  return records.map((record) => {
    const own = record.earning_id === null ? undefined : facts.get(record.earning_id)
    return { ...describe(deps, record, own), is_registered: record.is_registered }
  })
}

function describe(
  deps: DescribeDeps,
  record: StakeRecord,
  facts: EarningFacts | undefined,
): UserEarning {
  const show = (amount: bigint) => formatAmount('DCT', amount, deps.dctDecimals)
  const reward = record.reward as Dct
  return {
    id: record.earning_id === null ? hex(record.tx_hash) : `${record.earning_id}`,
    earning_plan_code: record.plan_code,
    start_date: record.started_at.toISOString(),
    end_date: record.ends_at.toISOString(),
    tron_address: formatTronAddress(record.staker),
    total_locked_amount: show(record.amount),
    total_reward: show(reward),
    daily_reward: show(dailyReward({ reward, cycles: record.cycles })),
    is_hash_confirmed: record.state,
    waited_seconds: record.state === 'WAITING' ? secondsSince(record.started_at, deps.clock) : null,
    trx_hash: hex(record.tx_hash),
    failure_reason: record.reason === null ? null : ERRORS[record.reason as ErrorCode].message,
    duration_days: record.cycles,
    claim_until: claimUntil(record.ends_at).toISOString(),
    ...describeRewards(record, facts, show),
    ...describeFreezing(record, facts),
    claimable_from: claimableFrom(deps, record, facts),
    capital_state: capitalState({
      endsAt: record.ends_at,
      releaseAskedAt: facts?.releaseAskedAt ?? null,
      releasedAt: facts?.releasedAt ?? null,
      now: deps.clock.now(),
    }),
    release_trx_hash: facts?.releaseTx ? hex(facts.releaseTx) : null,
  }
}

function describeRewards(
  record: StakeRecord,
  facts: EarningFacts | undefined,
  show: (amount: bigint) => string,
) {
  const cycle = facts?.cycle ?? 0
  const through = (last: number) =>
    rewardThrough({ reward: record.reward as Dct, cycles: record.cycles, cycle: last })
  // An expired earning counts as claimed to its end, even if its last cycles were never claimed.
  const claimedThrough = Math.min(cycle, facts?.claimedThrough ?? 0)
  const unclaimed = through(cycle) - through(claimedThrough) - (facts?.lapsedSinceClaim ?? 0n)
  return {
    total_shared_reward: show(through(cycle) - (facts?.lapsed ?? 0n)),
    total_unclaimed: show(unclaimed),
    distributed_cycles: cycle,
    total_lapsed: show(facts?.lapsed ?? 0n),
    expired_amount: show(facts?.expiredAmount ?? 0n),
  }
}

const NOT_FROZEN = {
  reward_distribution_count: 0,
  is_frozen: false,
  freeze_limit: FREEZE_AFTER_CYCLES,
  freeze_reason: null,
  freeze_warning: null,
  freezes_on: null,
  lapses_from: null,
} as const

function describeFreezing(record: StakeRecord, facts: EarningFacts | undefined) {
  if (facts === undefined) return NOT_FROZEN
  const { cycle, startDay, hasOpenFee, freezeLimit } = facts
  const count = countingCycles(facts)
  const reason = freezeReason({ count, freezeLimit, hasOpenFee })
  const dayAfter = (cycles: number) =>
    cycles > 0 && cycle + cycles <= record.cycles ? addDays(startDay, cycle + cycles) : null
  return {
    reward_distribution_count: count,
    is_frozen: reason !== null,
    freeze_limit: freezeLimit,
    freeze_reason: reason,
    freeze_warning: cycle < record.cycles ? freezeWarning({ count, freezeLimit }) : null,
    freezes_on: dayAfter(freezeLimit - count),
    lapses_from: dayAfter(
      creditedCyclesLeft({ count, freezeLimit, graceCycles: FREEZE_GRACE_CYCLES }) + 1,
    ),
  }
}

/** The day on which the minimum claim is reached; null once it is. */
function claimableFrom(deps: DescribeDeps, record: StakeRecord, facts: EarningFacts | undefined) {
  if (facts === undefined) return null
  const { cycle, startDay, claimedThrough } = facts
  const first = firstClaimableCycle({
    reward: record.reward as Dct,
    cycles: record.cycles,
    claimedThrough,
    minimumClaim: parseAmount('DCT', CLAIM_MIN_DCT, deps.dctDecimals),
  })
  return first > cycle ? addDays(startDay, first) : null
}

/** Whole seconds since an instant; not negative, as another process's clock may be slightly ahead. */
function secondsSince(instant: Date, clock: Clock): number {
  return Math.max(0, Math.floor((clock.now().getTime() - instant.getTime()) / 1000))
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex')
}
