import { type Dct, formatUnits } from '@dct/money'
import { RESERVATION_MINUTES } from '@dct/rules/constants'
import { remainingAnnual, remainingOf, rewardOf } from '@dct/rules/quota'
import { type BusinessDay, businessDayOf, type Clock } from '../../platform/clock.ts'
import { type DbOrTx, inTransaction, type Tx } from '../../platform/database/db.ts'
import { addJob } from '../../platform/database/jobs.ts'
import { invariant, Refusal } from '../../platform/errors.ts'
import { type Applicant, type CheckReservationsDeps, readApplicant } from './check-reservations.ts'
import { refuseJoinAmount } from './join-amount.ts'
import { getPlanByCode, type Plan } from './plans.queries.ts'
import { lockQuotas, openDay, takeQuota, totalsOf } from './quota.queries.ts'
import { giveBack, releaseLapsedReservations } from './release-lapsed.ts'
import {
  hasUnjudged,
  insertReservation,
  lastLapseOf,
  liveReservationOf,
  lockReservations,
  type Reservation,
} from './reservations.queries.ts'

export const RELEASE_QUEUE = 'plans.release-lapsed'

export type ReserveDeps = CheckReservationsDeps & {
  clock: Clock
  dctDecimals: number
  reservationCooldownMs: number
  /** Whether an address joined a plan and the join did not fail. Provided by the earnings module. */
  isFollowing(db: DbOrTx, join: { address: Buffer; planCode: string }): Promise<boolean>
}
export type ReserveInput = { user: { id: bigint; address: Buffer }; planCode: string; amount: Dct }
export type ReservedQuota = Omit<Reservation, 'id' | 'userId'> & { plan: Plan }

/**
 * The maximum number of chain checks per request; another one is needed if other addresses obtain reservations at a newer
 * block in the meantime.
 */
const MOST_LOOKS = 5

/**
 * Reserves a part of a plan's quota for ten minutes, while the wallet signs. An address holds one reservation at a
 * time: the same request again returns the same one; a different one replaces it and keeps its expiry. It is granted
 * based on a single check of the chain that shows all live reservations backed at the same block; those that are not,
 * because their tokens have moved, are released first.
 * @throws Refusal `PLAN_NOT_FOUND`, `ALREADY_FOLLOWING`, `AMOUNT_NOT_POSITIVE`, `AMOUNT_OUT_OF_RANGE`, `PLAN_NOT_OPEN`,
 * `PLAN_OPENING`, `DAILY_QUOTA_EXHAUSTED`, `ANNUAL_QUOTA_EXHAUSTED`, `DAILY_QUOTA_EXCEEDED`, `ANNUAL_QUOTA_EXCEEDED`,
 * `DCT_BALANCE_TOO_LOW`, `RESERVATION_COOLDOWN`, `CONFLICT`
 */
export async function reserveQuota(deps: ReserveDeps, input: ReserveInput): Promise<ReservedQuota> {
  const { db, clock } = deps
  const plan = await requirePlan(db, input.planCode)
  await refuseJoin(deps, db, { ...input, plan })
  await inTransaction(db, (tx) => releaseLapsedReservations(tx, clock.now()))
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const applicant = await readApplicant(deps, input.user.address)
    refusePoor(deps, { ...input, ...applicant })
    const reservation = await inTransaction(db, (tx) =>
      takeReservation(deps, tx, { input, applicant }),
    )
    if (reservation !== undefined) return reservation
  }
  throw new Refusal('CONFLICT')
}

/** @returns undefined if a reservation was made that the applicant's check did not include */
async function takeReservation(
  deps: ReserveDeps,
  tx: Tx,
  { input: { user, planCode, amount }, applicant }: { input: ReserveInput; applicant: Applicant },
): Promise<ReservedQuota | undefined> {
  await lockReservations(tx)
  if (await hasUnjudged(tx, applicant)) return undefined
  const held = await liveReservationOf(tx, user.address)
  const { id } = await requirePlan(tx, planCode)
  await lockQuotas(tx, held === undefined ? [id] : [id, held.planId])
  // Everything is read again under the lock.
  const now = deps.clock.now()
  const plan = await requirePlan(tx, planCode)
  const live = await liveReservationOf(tx, user.address)
  if (live !== undefined && live.planId === plan.id && live.amount === amount) {
    return { ...live, plan }
  }
  if (live === undefined) await refuseCooldown(deps, tx, { userId: user.id, now })
  else await giveBack(tx, live, 'replaced')

  await refuseJoin(deps, tx, { user, plan, amount })
  const day = businessDayOf(now)
  const reward = rewardOf(amount, plan.rate)
  await refuseWithoutQuota(deps, tx, { plan, day, reward })
  if (!(await takeQuota(tx, { planId: plan.id, day, reward }))) throw new Refusal('CONFLICT')

  const expiresAt = live?.expiresAt ?? new Date(now.getTime() + RESERVATION_MINUTES * 60_000)
  const reservation = { planId: plan.id, amount, reward, day, expiresAt }
  const reservationId = await insertReservation(tx, {
    ...reservation,
    ...applicant,
    userId: user.id,
    createdAt: now,
  })
  await addJob(tx, { queue: RELEASE_QUEUE, key: String(reservationId), runAt: expiresAt })
  return { ...reservation, plan }
}

async function requirePlan(db: DbOrTx, code: string): Promise<Plan> {
  const plan = await getPlanByCode(db, code)
  if (plan === undefined) throw new Refusal('PLAN_NOT_FOUND', { plan_code: code })
  return plan
}

/** The checks that do not depend on quotas, in the same order as in the browser. */
async function refuseJoin(
  { dctDecimals, isFollowing }: ReserveDeps,
  db: DbOrTx,
  { user, plan, amount }: Omit<ReserveInput, 'planCode'> & { plan: Plan },
): Promise<void> {
  if (await isFollowing(db, { address: user.address, planCode: plan.code })) {
    throw new Refusal('ALREADY_FOLLOWING')
  }
  refuseJoinAmount(amount, dctDecimals)
  if (!plan.isActive) throw new Refusal('PLAN_NOT_OPEN')
  if (plan.chainState !== 'open') throw new Refusal('PLAN_OPENING')
}

/** The caller holds the plan's lock. */
async function refuseWithoutQuota(
  { dctDecimals }: ReserveDeps,
  tx: Tx,
  { plan, day, reward }: { plan: Plan; day: BusinessDay; reward: Dct },
): Promise<void> {
  const daily = remainingOf(await openDay(tx, plan, day))
  const totals = (await totalsOf(tx, [plan.id])).get(plan.id)
  invariant(totals !== undefined, `plan ${plan.code} has no totals`)
  const annual = remainingAnnual({ totalReward: plan.totalReward, ...totals })
  if (daily === 0n) throw new Refusal('DAILY_QUOTA_EXHAUSTED')
  if (annual === 0n) throw new Refusal('ANNUAL_QUOTA_EXHAUSTED')
  const factsOf = (quota: bigint) => ({
    estimate: formatUnits(reward, dctDecimals),
    quota: formatUnits(quota, dctDecimals),
  })
  if (reward > daily) throw new Refusal('DAILY_QUOTA_EXCEEDED', factsOf(daily))
  if (reward > annual) throw new Refusal('ANNUAL_QUOTA_EXCEEDED', factsOf(annual))
}

function refusePoor(
  { dctDecimals }: ReserveDeps,
  { amount, balance }: { amount: Dct; balance: bigint },
): void {
  if (balance >= amount) return
  const shown = formatUnits(balance, dctDecimals)
  throw new Refusal(
    'DCT_BALANCE_TOO_LOW',
    { balance: shown },
    `Your wallet holds ${shown} DCT, which is less than the amount entered.`,
  )
}

async function refuseCooldown(
  { reservationCooldownMs }: ReserveDeps,
  tx: Tx,
  { userId, now }: { userId: bigint; now: Date },
): Promise<void> {
  const lapsedAt = await lastLapseOf(tx, userId)
  if (lapsedAt === undefined) return
  const waitMs = lapsedAt.getTime() + reservationCooldownMs - now.getTime()
  if (waitMs <= 0) return
  throw new Refusal('RESERVATION_COOLDOWN', { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
}
