import type { Dct } from '@dct/money'
import {
  CLAIM_OPEN_DAYS_AFTER_END,
  FEE_OPEN_DAYS_AFTER_END,
  FREEZE_GRACE_CYCLES,
} from '@dct/rules/constants'
import { firstClaimableCycle } from '@dct/rules/freezing'
import { type RawBuilder, sql } from 'kysely'
import { addDays, type BusinessDay, DAY_MS, parseBusinessDay } from '../../platform/clock.ts'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import { invariant, Refusal } from '../../platform/errors.ts'
import type { Transfer } from '../ledger/index.ts'
import { sharedDistribution } from './distribution/distribution-lock.ts'
import {
  creditExemptCycles,
  lockEarning,
  ownExemptionsAfter,
} from './distribution/exemptions.queries.ts'
import { own } from './earnings.tables.ts'

/** What a claim took, and what `restoreClaimable` needs to put it back. */
export type TakenClaimable = {
  earningId: bigint
  stakeId: bigint
  planCode: string
  /** The range of cycles taken, both included. */
  firstCycle: number
  lastCycle: number
  /** DCT base units. */
  amount: bigint
  /** Whether the last cycle of the earning is included, in which case there is no minimum amount. */
  isAfterEnd: boolean
  endsAt: Date
  /** The last cycle that had been claimed before. */
  previousThrough: number
}

export type ClaimableEarning = {
  earningId: bigint
  planCode: string
  amount: bigint
  firstCycle: number
  lastCycle: number
  isAfterEnd: boolean
  hasOpenFee: boolean
  endsAt: Date
  /** The last instant at which claims are accepted. */
  claimUntil: Date
  /** The day on which the minimum claim is reached; null once it is. */
  claimableFrom: BusinessDay | null
  /** The first day whose cycle is lost if the fee of a claim made now stays unpaid; null if none is. */
  unpaidLapsesFrom: BusinessDay | null
}

/** The last instant at which an earning's rewards can be claimed. */
export function claimUntil(endsAt: Date): Date {
  return new Date(endsAt.getTime() + CLAIM_OPEN_DAYS_AFTER_END * DAY_MS)
}

/** The last instant at which the fee of a claim from an earning can be paid. */
export function feeUntil(endsAt: Date): Date {
  return new Date(endsAt.getTime() + FEE_OPEN_DAYS_AFTER_END * DAY_MS)
}

/**
 * Takes the credited, unclaimed cycles of an earning for a claim and marks its fee as open: all of them, or those through
 * a cycle. The earning's row stays locked until commit; the caller posts the ledger entries.
 * @throws Refusal `EARNING_NOT_FOUND`, `CLAIM_FEE_OPEN`, `CLAIM_TIME_OVER`, `NOTHING_TO_CLAIM`
 */
export async function takeClaimable(
  tx: Tx,
  key: { staker: Buffer; planCode: string; now: Date; through?: number | undefined },
): Promise<TakenClaimable> {
  const earning = await lockStake(tx, key)
  if (!earning) throw new Refusal('EARNING_NOT_FOUND', { planCode: key.planCode })
  if (earning.has_open_fee) throw new Refusal('CLAIM_FEE_OPEN', { planCode: key.planCode })
  if (key.now > claimUntil(earning.ends_at)) throw new Refusal('CLAIM_TIME_OVER')

  const { through } = key
  const taken =
    through === undefined
      ? await markUnclaimed(tx, earning)
      : await markOldest(tx, { earning, isFeeOpen: true, which: sql`cycle <= ${through}` })
  if (taken === undefined) throw new Refusal('NOTHING_TO_CLAIM', { planCode: key.planCode })
  return {
    earningId: earning.id,
    stakeId: earning.stake_id,
    planCode: earning.plan_code,
    firstCycle: earning.claimed_through + 1,
    lastCycle: taken.lastCycle,
    amount: taken.amount,
    isAfterEnd: taken.lastCycle === earning.cycles,
    endsAt: earning.ends_at,
    previousThrough: earning.claimed_through,
  }
}

/**
 * Marks the oldest unclaimed cycles as claimed that amount to at most this much, in base units; whole cycles only.
 * Cycles that lapsed stay lost, also later ones: whether the stake still lapses is decided by the next daily run. Nothing
 * is taken while a fee is open, because its claim can still be undone. The earning's row stays locked until
 * commit; the caller posts the ledger entries.
 */
export async function takePaidCycles(
  tx: Tx,
  paid: { staker: Buffer; planCode: string; most: bigint },
): Promise<
  { earningId: bigint; firstCycle: number; lastCycle: number; amount: bigint } | undefined
> {
  const earning = await lockStake(tx, paid)
  if (earning === undefined || earning.has_open_fee) return undefined
  const which = sql`amount <= ${paid.most}`
  const taken = await markOldest(tx, { earning, isFeeOpen: false, which })
  if (taken === undefined) return undefined
  return { earningId: earning.id, firstCycle: earning.claimed_through + 1, ...taken }
}

export type UnclaimedSums = {
  startDay: BusinessDay
  cycles: number
  endsAt: Date
  /** By cycle, oldest first: what all unclaimed ones through it come to, in base units. */
  sums: readonly { cycle: number; amount: bigint }[]
}

/** What the oldest unclaimed cycles of a stake come to. Undefined while a fee is open. Its row stays locked until commit. */
export async function unclaimedSums(
  tx: Tx,
  key: { staker: Buffer; planCode: string },
): Promise<UnclaimedSums | undefined> {
  const earning = await lockStake(tx, key)
  if (earning === undefined || earning.has_open_fee) return undefined
  const { rows } = await sql<{ cycle: number; amount: bigint }>`${sumsOf(earning.id)}
    order by cycle`.execute(tx)
  const { cycles, ends_at: endsAt } = earning
  return { startDay: parseBusinessDay(earning.start_day), cycles, endsAt, sums: rows }
}

/** SQL for the unclaimed cycles of a stake, each with the sum of those through it. */
function sumsOf(earningId: bigint) {
  return sql`
    select r.cycle, sum(r.amount) over (order by r.cycle) as amount
    from earning e join distribution_cursor c on c.plan_id = e.plan_id
      cross join lateral reward_cycles(e.start_day, e.reward, e.cycles, e.lapsed,
        e.start_day + e.claimed_through + 1, c.through_day) r
    where e.id = ${earningId}`
}

/** Marks the oldest unclaimed cycles as claimed, those for which `which` holds; undefined if they come to nothing. */
async function markOldest(
  tx: Tx,
  {
    earning: { id },
    isFeeOpen,
    which,
  }: { earning: { id: bigint }; isFeeOpen: boolean; which: RawBuilder<unknown> },
): Promise<{ amount: bigint; lastCycle: number } | undefined> {
  const { rows } = await sql<{ amount: bigint; lastCycle: number }>`
    update earning e set claimed_through = r.last_cycle, has_open_fee = ${isFeeOpen},
      own_exempt_days = ${ownExemptionsAfter(sql`r.last_cycle`)}
    from (
      select max(amount) as amount, max(cycle) as last_cycle from (${sumsOf(id)}) sums
      where ${which}) r
    where e.id = ${id} and r.amount > 0
    returning r.amount, r.last_cycle as "lastCycle"`.execute(tx)
  return rows[0]
}

/**
 * Undoes a claim whose fee was never paid: its cycles can be claimed again, together with those credited since.
 * @returns transfers that the caller posts with its own: cycles of exempt days that the claim had passed by
 */
export async function restoreClaimable(
  tx: Tx,
  claim: { earningId: bigint; lastCycle: number; previousThrough: number; at: Date },
): Promise<Transfer[]> {
  await lockEarning(tx, claim.earningId)
  const earning = await own(tx)
    .selectFrom('earning')
    .select(['has_open_fee', 'claimed_through'])
    .where('id', '=', claim.earningId)
    .executeTakeFirstOrThrow()
  invariant(
    earning.has_open_fee && earning.claimed_through === claim.lastCycle,
    `earning ${claim.earningId} has no claim through cycle ${claim.lastCycle} to undo`,
  )
  const through = sql`${claim.previousThrough}::integer`
  await sql`
    update earning e set claimed_through = ${through}, has_open_fee = false,
      own_exempt_days = ${ownExemptionsAfter(through)}
    where e.id = ${claim.earningId}`.execute(tx)
  return creditExemptCycles(tx, claim)
}

/** Marks the fee of an earning's claim as paid or lapsed, which allows the next claim. */
export async function closeOpenFee(tx: Tx, claim: { earningId: bigint }): Promise<void> {
  const closed = await own(tx)
    .updateTable('earning')
    .set({ has_open_fee: false })
    .where('id', '=', claim.earningId)
    .where('has_open_fee', '=', true)
    .executeTakeFirst()
  invariant(closed.numUpdatedRows === 1n, `earning ${claim.earningId} has no open fee to close`)
}

/**
 * What a staker can claim now, ordered by plan code. Earnings with nothing to claim are left out. The minimum is in
 * base units.
 */
export async function listClaimable(
  db: DbOrTx,
  key: { staker: Buffer; now: Date; minimumClaim: Dct },
): Promise<ClaimableEarning[]> {
  const rows = await own(db)
    .selectFrom('earning as e')
    .innerJoin('earning_reward_view as r', 'r.id', 'e.id')
    .select([
      'e.id',
      'e.plan_code',
      'e.cycles',
      'e.reward',
      'e.start_day',
      'e.freeze_limit',
      'e.claimed_through',
      'e.has_open_fee',
      'e.ends_at',
      'r.unclaimed as amount',
      'r.cycle as last_cycle',
    ])
    .where('e.staker', '=', key.staker)
    .where('r.unclaimed', '>', 0n)
    .orderBy('e.plan_code')
    .execute()
  return rows
    .filter((row) => key.now <= claimUntil(row.ends_at))
    .map((row) => ({
      earningId: row.id,
      planCode: row.plan_code,
      amount: row.amount,
      firstCycle: row.claimed_through + 1,
      lastCycle: row.last_cycle,
      isAfterEnd: row.last_cycle === row.cycles,
      hasOpenFee: row.has_open_fee,
      endsAt: row.ends_at,
      claimUntil: claimUntil(row.ends_at),
      ...claimDays(row, key.minimumClaim),
    }))
}

function claimDays(
  earning: {
    reward: bigint
    cycles: number
    start_day: string
    freeze_limit: number
    claimed_through: number
    last_cycle: number
  },
  minimumClaim: Dct,
): Pick<ClaimableEarning, 'claimableFrom' | 'unpaidLapsesFrom'> {
  const { cycles, last_cycle, freeze_limit } = earning
  const startDay = parseBusinessDay(earning.start_day)
  const first = firstClaimableCycle({
    reward: earning.reward as Dct,
    cycles,
    claimedThrough: earning.claimed_through,
    minimumClaim,
  })
  const lost = last_cycle + freeze_limit + FREEZE_GRACE_CYCLES + 1
  return {
    claimableFrom: first > last_cycle ? addDays(startDay, first) : null,
    unpaidLapsesFrom: lost <= cycles ? addDays(startDay, lost) : null,
  }
}

/**
 * Takes the shared lock that excludes the plan's daily run, then locks the earning's row: the same order as in the run.
 */
async function lockStake(tx: Tx, key: { staker: Buffer; planCode: string }) {
  return (
    own(tx)
      .selectFrom('earning as e')
      .innerJoinLateral(
        () => sharedDistribution(sql.ref('e.plan_id')).as('locked'),
        (join) => join.onTrue(),
      )
      .select(['e.id', 'e.stake_id', 'e.plan_id', 'e.plan_code', 'e.cycles', 'e.start_day'])
      .select(['e.ends_at', 'e.claimed_through', 'e.has_open_fee'])
      .where('e.staker', '=', key.staker)
      // Uses the unique key: without fresh statistics, a search by the code would read the index entries of the whole
      // plan.
      .where(
        'e.plan_id',
        '=',
        sql<bigint>`(select id from earning_plan_view where code = ${key.planCode})`,
      )
      .forUpdate('e')
      .executeTakeFirst()
  )
}

/**
 * Marks all credited, unclaimed cycles as claimed and their fee as open, and ends a lapse with them; undefined if there
 * are none.
 */
async function markUnclaimed(
  tx: Tx,
  earning: { id: bigint },
): Promise<{ amount: bigint; lastCycle: number } | undefined> {
  const { rows } = await sql<{ amount: bigint; lastCycle: number }>`
    update earning e set claimed_through = r.cycle, has_open_fee = true,
      lapsed = e.lapsed - int4multirange(int4range(r.cycle + 1, null)),
      own_exempt_days = ${ownExemptionsAfter(sql`r.cycle`)}
    from earning_reward_view r
    where e.id = ${earning.id} and r.id = ${earning.id} and r.unclaimed > 0
    returning r.unclaimed as amount, r.cycle as "lastCycle"`.execute(tx)
  return rows[0]
}
