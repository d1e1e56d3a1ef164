import type { Dct } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import { freezeLimit } from '@dct/rules/freezing'
import { sql } from 'kysely'
import {
  type BusinessDay,
  businessDayOf,
  type Clock,
  DAY_MS,
  daysBetween,
} from '../../../platform/clock.ts'
import { type Tx, together } from '../../../platform/database/db.ts'
import { invariant } from '../../../platform/errors.ts'
import { writeEvent } from '../../../platform/outbox/write-messages.ts'
import { type ChainEvent, hexOf } from '../../chain/index.ts'
import { account, postLast, postTransfers } from '../../ledger/index.ts'
import { messageHolders } from '../../messages/index.ts'
import { honourStake } from '../../plans/index.ts'
import { bookMissedCycles } from '../distribution/book-missed-cycles.ts'
import { insertPlanCursor, readPlanCursor } from '../distribution/distribution.queries.ts'
import { sharedDistribution } from '../distribution/distribution-lock.ts'
import { own } from '../earnings.tables.ts'
import { closeAnnouncedJoins } from './announced-joins.queries.ts'
import { type ReleasedEvent, readReleased, readStaked, type StakedEvent } from './stake-events.ts'

export type BookStakeDeps = {
  clock: Clock
  /** The minimum claim before the end of the plan. */
  minimumClaim: Dct
  /** The id of the account registered with an address; undefined when there is none. */
  findUserId(tx: Tx, address: Buffer): Promise<bigint | undefined>
}

/**
 * Books events of the staking contract in chain order: stakes with their promised reward, and released capital. Ignores
 * its other events. Idempotent.
 */
export async function bookStakingEvent(
  deps: BookStakeDeps,
  tx: Tx,
  event: ChainEvent,
): Promise<void> {
  if (event.name === 'Staked') await bookStake(deps, tx, readStaked(event))
  if (event.name === 'Released') await bookRelease(deps, tx, readReleased(event))
}

/**
 * Books a stake with the values from the chain, registered staker or not: its capital, the promise of its whole reward,
 * and the cycles that were run before it was booked. Idempotent per stake. Locks, in this order: the plan's quota, the
 * plan's daily run, the ledger accounts.
 */
export async function bookStake(deps: BookStakeDeps, tx: Tx, stake: StakedEvent): Promise<void> {
  const [known, userId] = await together(
    own(tx)
      .selectFrom('earning')
      .select(['staker', 'amount', 'reward'])
      .where('stake_id', '=', stake.stakeId)
      .executeTakeFirst(),
    deps.findUserId(tx, stake.staker),
  )
  if (known !== undefined) {
    const isSame = known.staker.equals(stake.staker) && known.amount === stake.amount
    invariant(
      isSame && known.reward === stake.reward,
      `stake ${stake.stakeId} differs from the booked one`,
    )
    return
  }
  const cycles = wholeDays(stake)
  const { plan } = await honourStake(tx, {
    planCode: stake.planCode,
    amount: stake.amount,
    reward: stake.reward,
    durationDays: cycles,
    at: stake.startedAt,
    ...(userId === undefined ? {} : { userId }),
  })
  const now = deps.clock.now()
  const [earning, cursor] = await together(
    insertEarning(tx, {
      ...stake,
      planId: plan.id,
      cycles,
      isRegistered: userId !== undefined,
      freezeLimit: freezeLimit({ reward: stake.reward, cycles, minimumClaim: deps.minimumClaim }),
      bookedAt: now,
    }),
    // Must be read after the insert, which acquires the lock.
    readPlanCursor(tx, plan.id),
    closeAnnouncedJoins(tx, stake),
    reportJoined(tx, stake),
  )
  const throughDay =
    cursor?.throughDay ?? (await openPlanCursor(tx, { plan, cycles, today: businessDayOf(now) }))
  const missed = Math.min(cycles, daysBetween(earning.startDay, throughDay))
  await bookPromise(tx, stake)
  if (missed > 0) await bookMissedCycles(tx, { ...earning, ...stake, cycles, missed, now })
}

/** Books that a stake's capital was returned to its staker, and notifies the staker. */
export async function bookRelease(
  deps: Pick<BookStakeDeps, 'findUserId'>,
  tx: Tx,
  release: ReleasedEvent,
): Promise<void> {
  const released = await own(tx)
    .updateTable('earning')
    .set({
      released_at: release.at,
      release_tx: release.txHash,
      // Anyone may call the contract, so the release may never have been requested here.
      release_asked_at: sql<Date>`coalesce(release_asked_at, ${release.at})`,
    })
    .where('stake_id', '=', release.stakeId)
    .where('released_at', 'is', null)
    .returning(['staker', 'plan_code', 'amount'])
    .executeTakeFirst()
  if (released === undefined) return
  invariant(
    released.amount === release.amount,
    `stake ${release.stakeId} was released with another amount`,
  )
  await postTransfers(tx, [
    {
      debit: account.principal(released.plan_code),
      credit: account.chainStaking(released.plan_code),
      asset: 'DCT',
      amount: release.amount,
      kind: 'stake_released',
      ref: `${release.stakeId}`,
      at: release.at,
    },
  ])
  const userId = await deps.findUserId(tx, released.staker)
  if (userId === undefined) return
  const facts = {
    plan_code: released.plan_code,
    amount: { asset: 'DCT', units: release.amount },
    tx_hash: hexOf(release.txHash),
  } as const
  const key = `${facts.tx_hash}:${release.stakeId}`
  await messageHolders(tx, [{ userId, kind: 'capital_returned', key, facts, at: release.at }])
}

/** Assigns the earlier stakes of a newly registered address to its account. */
export async function adoptEarnings(tx: Tx, user: { address: Buffer }): Promise<void> {
  await own(tx)
    .updateTable('earning')
    .set({ is_registered: true })
    .where('staker', '=', user.address)
    .where('is_registered', '=', false)
    .execute()
}

function wholeDays(stake: StakedEvent): number {
  const cycles = (stake.endsAt.getTime() - stake.startedAt.getTime()) / DAY_MS
  invariant(Number.isInteger(cycles) && cycles > 0, `stake ${stake.stakeId} lasts ${cycles} days`)
  return cycles
}

type NewEarning = StakedEvent & {
  planId: bigint
  cycles: number
  isRegistered: boolean
  freezeLimit: number
  bookedAt: Date
}

/** Inserts the earning, counts it for its start day, and takes the shared lock that excludes the plan's daily run. */
async function insertEarning(
  tx: Tx,
  earning: NewEarning,
): Promise<{ earningId: bigint; planId: bigint; startDay: BusinessDay }> {
  const { planId } = earning
  const startDay = businessDayOf(earning.startedAt)
  const { id } = await own(tx)
    .with('counted', (db) =>
      db
        .insertInto('daily_stake_count')
        .columns(['plan_id', 'day', 'stakes'])
        .expression(sql`select ${planId}, ${startDay}, 1 from ${sharedDistribution(planId)}`)
        .onConflict((conflict) =>
          conflict.columns(['plan_id', 'day']).doUpdateSet({
            stakes: sql<bigint>`daily_stake_count.stakes + 1`,
          }),
        ),
    )
    .insertInto('earning')
    .values({
      stake_id: earning.stakeId,
      staker: earning.staker,
      is_registered: earning.isRegistered,
      plan_id: earning.planId,
      plan_code: earning.planCode,
      amount: earning.amount,
      reward: earning.reward,
      cycles: earning.cycles,
      freeze_limit: earning.freezeLimit,
      started_at: earning.startedAt,
      ends_at: earning.endsAt,
      start_day: startDay,
      tx_hash: earning.txHash,
      log_index: earning.logIndex,
      block_number: earning.blockNumber,
      booked_at: earning.bookedAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { earningId: id, planId, startDay }
}

async function bookPromise(tx: Tx, stake: StakedEvent): Promise<void> {
  const booking = { asset: 'DCT', ref: `${stake.stakeId}`, at: stake.startedAt } as const
  await postLast(tx, [
    {
      ...booking,
      debit: account.free(stake.planCode),
      credit: account.promised(stake.planCode),
      amount: stake.reward,
      kind: 'stake_promised',
    },
    {
      ...booking,
      debit: account.chainStaking(stake.planCode),
      credit: account.principal(stake.planCode),
      amount: stake.amount,
      kind: 'stake_locked',
    },
  ])
}

async function reportJoined(tx: Tx, stake: StakedEvent): Promise<void> {
  await writeEvent(tx, {
    type: 'stake.joined',
    key: `${hexOf(stake.txHash)}:${stake.logIndex}`,
    at: stake.startedAt,
    data: {
      stake_id: `${stake.stakeId}`,
      holder: formatTronAddress(stake.staker),
      plan_code: stake.planCode,
      amount: { asset: 'DCT', units: stake.amount },
      reward: { asset: 'DCT', units: stake.reward },
      starts_at: stake.startedAt.toISOString(),
      ends_at: stake.endsAt.toISOString(),
      tx_hash: hexOf(stake.txHash),
    },
  })
}

/**
 * The plan's first stake creates the cursor: before it there was nothing to run.
 * @returns the day through which the plan's cycles count as run
 */
async function openPlanCursor(
  tx: Tx,
  first: { plan: { id: bigint; code: string }; cycles: number; today: BusinessDay },
): Promise<BusinessDay> {
  // Cycles due through today are booked as missed cycles; the daily run continues with tomorrow.
  const throughDay = first.today
  await insertPlanCursor(tx, {
    planId: first.plan.id,
    planCode: first.plan.code,
    cycles: first.cycles,
    throughDay,
  })
  return throughDay
}
