import { type BusinessDay, businessDayOf } from '../../platform/clock.ts'
import { type Tx, together } from '../../platform/database/db.ts'
import { invariant } from '../../platform/errors.ts'
import { adoptPlan, type StakeTerms } from './adopt-plan.ts'
import { type BookingState, readBookingState } from './booking-state.queries.ts'
import type { Plan } from './plans.queries.ts'
import { lockQuotaOf, moveQuota, openDayAfter, recomputeCarryAfter } from './quota.queries.ts'
import { endReservation } from './reservations.queries.ts'

export type HonouredStake = {
  plan: Plan
  /** The day whose quota the promise uses. */
  day: BusinessDay
  hadReservation: boolean
}

/**
 * Books the promised reward of a stake that is final on chain: against the holder's reservation, or else against the
 * quota of the stake's day, which may be overdrawn. Never refuses, not even for a plan that was never created here.
 * Call it once per stake, in the transaction that books the stake; it posts no ledger entries.
 */
export async function honourStake(
  tx: Tx,
  stake: StakeTerms & {
    /** The id of the account registered with the staker's address, if any. */
    userId?: bigint
  },
): Promise<HonouredStake> {
  const { plan, reservation, day, latest, hasLaterDays } =
    (await lockAndRead(tx, stake)) ?? (await adoptAndRead(tx, stake))
  const planId = plan.id
  await openDayAfter(tx, plan, { latest, day })
  await moveQuota(tx, {
    ...{ planId, day },
    ...{ promised: stake.reward, reserved: -(reservation?.reward ?? 0n) },
  })
  if (hasLaterDays) await recomputeCarryAfter(tx, plan, day)
  return { plan, day, hadReservation: reservation !== undefined }
}

type StakeOf = StakeTerms & { userId?: bigint }

async function adoptAndRead(tx: Tx, stake: StakeOf): Promise<BookingState> {
  await adoptPlan(tx, stake)
  const state = await lockAndRead(tx, stake)
  invariant(state !== undefined, `plan ${stake.planCode} was adopted but does not exist`)
  return state
}

/**
 * Locks the plan's quota, reads its state and uses the holder's reservation in this plan. An expired one counts until
 * it has been released.
 * @returns undefined if there is no such plan
 */
async function lockAndRead(
  tx: Tx,
  { planCode, userId, at }: StakeOf,
): Promise<BookingState | undefined> {
  const day = businessDayOf(at)
  // The second statement begins once the first has its lock, so it sees everything committed until then.
  const [isLocked, found] = await together(
    lockQuotaOf(tx, planCode),
    readBookingState(tx, { planCode, userId, day }),
  )
  // A plan that was created in between exists by now, but is not locked.
  if (!isLocked || found === undefined) return undefined
  if (found.reservation === undefined) return found
  if (await endReservation(tx, { id: found.reservation.id, state: 'used' })) return found
  return readBookingState(tx, { planCode, userId: undefined, day })
}
