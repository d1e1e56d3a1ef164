import { type BusinessDay, businessDayOf } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import { adoptPlan, type StakeTerms } from './adopt-plan.ts'
import { type BookingState, readBookingState } from './booking-state.queries.ts'
import type { Plan } from './plans.queries.ts'
import {
  lockQuotaOf,
  lockQuotas,
  moveQuota,
  openDayAfter,
  recomputeCarryAfter,
} from './quota.queries.ts'
import { endReservation } from './reservations.queries.ts'

export type HonouredStake = {
  plan: Plan
  /** The day whose quota the promise uses. */
  day: BusinessDay
  hadReservation: boolean
}

/**
 * Books the promised reward of a stake that is final on chain: against the holder's reservation, or against the day of
 * the stake, which may be overdrawn. Never refuses, not even for a plan that was never created here. Call it once per
 * stake, in the transaction that books the stake; it posts no ledger entries.
 */
export async function honourStake(
  tx: Tx,
  stake: StakeTerms & {
    /** The id of the account registered with the staker's address, if any. */
    userId?: bigint
  },
): Promise<HonouredStake> {
  const planId = (await lockQuotaOf(tx, stake.planCode)) ?? (await adoptAndLock(tx, stake))
  const { plan, place, day, latest, hasLaterDays } = await bookingStateFor(tx, planId, stake)
  await openDayAfter(tx, plan, { latest, day })
  await moveQuota(tx, {
    ...{ planId, day },
    ...{ promised: stake.reward, reserved: -(place?.reward ?? 0n) },
  })
  if (hasLaterDays) await recomputeCarryAfter(tx, plan, day)
  return { plan, day, hadReservation: place !== undefined }
}

async function adoptAndLock(tx: Tx, stake: StakeTerms): Promise<bigint> {
  const { id } = await adoptPlan(tx, stake)
  await lockQuotas(tx, [id])
  return id
}

/**
 * Reads the plan's state and uses the holder's reservation in this plan. An expired one counts until it has been released.
 */
async function bookingStateFor(
  tx: Tx,
  planId: bigint,
  { userId, at }: { userId?: bigint; at: Date },
): Promise<BookingState> {
  const day = businessDayOf(at)
  const found = await readBookingState(tx, { planId, userId, day })
  if (found.place === undefined) return found
  if (await endReservation(tx, { id: found.place.id, state: 'used' })) return found
  return readBookingState(tx, { planId, userId: undefined, day })
}
