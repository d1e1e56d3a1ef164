import type { AdminEarning, UserEarning } from '@dct/api-contract/earnings'
import { ERRORS, type ErrorCode } from '@dct/api-contract/errors'
import { type Dct, formatAmount } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import { FREEZE_AFTER_CYCLES } from '@dct/rules/constants'
import { type StakeState, stateOfStake } from '@dct/rules/cycles'
import { freezeReason, freezeWarning } from '@dct/rules/freezing'
import { dailyReward } from '@dct/rules/rewards'
import type { Clock } from '../../../platform/clock.ts'
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
  const facts = await readEarningFacts(deps.db, { ...deps, ids })
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
  const state = facts && stateOfStake(facts)
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
    ...describeRewards(state, facts, show),
    ...describeFreezing(state, facts),
    claimable_from: state?.claimableFrom ?? null,
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
  state: StakeState | undefined,
  facts: EarningFacts | undefined,
  show: (amount: bigint) => string,
) {
  return {
    total_shared_reward: show(state?.credited ?? 0n),
    total_unclaimed: show(state?.claimable.amount ?? 0n),
    distributed_cycles: facts?.cycle ?? 0,
    total_lapsed: show(state?.lapsed ?? 0n),
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

function describeFreezing(state: StakeState | undefined, facts: EarningFacts | undefined) {
  if (state === undefined || facts === undefined) return NOT_FROZEN
  const { count } = state
  const { hasOpenFee, freezeLimit } = facts
  const reason = freezeReason({ count, freezeLimit, hasOpenFee })
  return {
    reward_distribution_count: count,
    is_frozen: reason !== null,
    freeze_limit: freezeLimit,
    freeze_reason: reason,
    freeze_warning: facts.cycle < facts.cycles ? freezeWarning({ count, freezeLimit }) : null,
    freezes_on: state.freezesOn,
    lapses_from: state.lapsesFrom,
  }
}

/** Whole seconds since an instant; not negative, as another process's clock may be slightly ahead. */
function secondsSince(instant: Date, clock: Clock): number {
  return Math.max(0, Math.floor((clock.now().getTime() - instant.getTime()) / 1000))
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex')
}
