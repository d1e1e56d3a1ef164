import { createHash } from 'node:crypto'
import type { Dct } from '@dct/money'
import { rewardOf } from '@dct/rules/quota'
import { findUserByAddress } from '../modules/auth/index.ts'
import type { ChainEvent } from '../modules/chain/index.ts'
import { recordAvailability } from '../modules/earnings/distribution/availability.ts'
import { runNextDistribution } from '../modules/earnings/distribution/run-distribution.ts'
import { bookStakingEvent } from '../modules/earnings/index.ts'
import { bookPoolEvent, type Plan } from '../modules/plans/index.ts'
import {
  addDays,
  type BusinessDay,
  businessDayOf,
  type Clock,
  DAY_MS,
  startOfBusinessDay,
} from '../platform/clock.ts'
import { type Db, type DbOrTx, inTransaction } from '../platform/database/db.ts'
import type { ManualClock } from './manual-clock.ts'
import { dct, givenPlan } from './plans.ts'

const STAKING = Buffer.alloc(20, 0x5a)
const REWARD_POOL = Buffer.alloc(20, 0x9b)

/** The dependencies for booking stakes in tests. */
export function stakeDeps({ db, clock }: { db: Db; clock: Clock }) {
  return {
    db,
    clock,
    minimumClaim: dct('0.6'),
    areClaimsOpen: async () => true,
    findUserId: async (tx: DbOrTx, address: Buffer) => (await findUserByAddress(tx, address))?.id,
  }
}

/** A plan funded on chain and in the ledger. */
export async function givenFundedPlan(
  deps: { db: Db; clock: Clock },
  facts: Parameters<typeof givenPlan>[1] = {},
): Promise<Plan> {
  const plan = await givenPlan(deps, { dailyLimit: '10000', ...facts, poolFree: '0' })
  const event = poolEvent(deps.clock.now(), 'PlanFunded', {
    planCode: plan.code,
    from: `0x${'11'.repeat(20)}`,
    amount: `${plan.totalReward}`,
  })
  await inTransaction(deps.db, (tx) => bookPoolEvent(tx, event))
  return plan
}

export type StakeFacts = {
  plan: Plan
  staker: Buffer
  amount?: Dct
  /** The time of the stake's block; default: now. */
  startedAt?: Date
  stakeId?: bigint
  txHash?: Buffer
}

let lastStakeId = 0n

/** A stake's events as the watcher reads them, in chain order. */
export function stakeEvents(facts: StakeFacts & { startedAt: Date }): ChainEvent[] {
  const { plan, staker, amount = dct('10'), startedAt } = facts
  lastStakeId += 1n
  const stakeId = facts.stakeId ?? lastStakeId
  const txHash = facts.txHash ?? hashOf(`stake ${stakeId}`)
  const start = Math.floor(startedAt.getTime() / 1_000)
  const reward = `${rewardOf(amount, plan.rate)}`
  const named = { planCode: plan.code, staker: `0x${staker.toString('hex')}` }
  const reserved = poolEvent(startedAt, 'RewardReserved', {
    ...named,
    amount: reward,
  })
  const staked = chainEvent(startedAt, STAKING, 'Staked', {
    ...named,
    stakeId: `${stakeId}`,
    amount: `${amount}`,
    reward,
    start: `${start}`,
    end: `${start + (plan.durationDays * DAY_MS) / 1_000}`,
  })
  return [
    { ...reserved, txHash, logIndex: 0 },
    { ...staked, txHash, logIndex: 3 },
  ]
}

/** Books a stake from its events. @returns its id in the contract */
export async function givenStake(
  deps: ReturnType<typeof stakeDeps>,
  facts: StakeFacts,
): Promise<bigint> {
  const events = stakeEvents({ ...facts, startedAt: facts.startedAt ?? deps.clock.now() })
  await inTransaction(deps.db, async (tx) => {
    for (const event of events) {
      await bookPoolEvent(tx, event)
      await bookStakingEvent(deps, tx, event)
    }
  })
  return BigInt(events.at(-1)?.args.stakeId ?? 0)
}

/** An event of the reward contract. */
export function poolEvent(at: Date, name: string, args: ChainEvent['args']): ChainEvent {
  return chainEvent(at, REWARD_POOL, name, args)
}

/** The event of a stake's capital being returned. */
export function releasedEvent(release: { stakeId: bigint; staker: Buffer; amount: Dct; at: Date }) {
  return chainEvent(release.at, STAKING, 'Released', {
    stakeId: `${release.stakeId}`,
    staker: `0x${release.staker.toString('hex')}`,
    amount: `${release.amount}`,
  })
}

/**
 * Runs all days that are due now, without moving the clock, while holders can claim. By default no real time has passed,
 * as if the clock had been advanced deliberately; pass the elapsed real time to simulate an outage.
 */
export async function runDueDays(
  deps: ReturnType<typeof stakeDeps>,
  outageMs: number = 0,
): Promise<void> {
  const now = deps.clock.now()
  realNowMs += outageMs
  const realNow = new Date(realNowMs)
  await inTransaction(deps.db, async (tx) => {
    const isOpen = await deps.areClaimsOpen()
    await recordAvailability(tx, { now, realNow, isOpen })
  })
  while (await runNextDistribution(deps, { now, realNow }));
}

let realNowMs = Date.parse('2026-01-01T00:00:00Z')

/** Advances the clock day by day to just after midnight, and runs each day when it is due. */
export async function passDays(
  deps: ReturnType<typeof stakeDeps> & { clock: ManualClock },
  days: number,
): Promise<BusinessDay> {
  for (let passed = 0; passed < days; passed += 1) {
    const next = addDays(businessDayOf(deps.clock.now()), 1)
    deps.clock.set(startOfBusinessDay(next))
    await runDueDays(deps)
  }
  return businessDayOf(deps.clock.now())
}

export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

let lastBlock = 0n

function chainEvent(
  at: Date,
  address: Buffer,
  name: string,
  args: Record<string, string>,
): ChainEvent {
  lastBlock += 1n
  return {
    chain: 'TRON',
    txHash: hashOf(`${name} ${lastBlock}`),
    logIndex: 0,
    blockNumber: lastBlock,
    blockHash: hashOf(`block ${lastBlock}`),
    blockTime: at,
    address,
    name,
    args,
  }
}
