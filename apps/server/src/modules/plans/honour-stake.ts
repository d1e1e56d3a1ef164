import { type BusinessDay, businessDayOf } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import { adoptPlan, type StakeTerms } from './adopt-plan.ts'
import { getPlan, getPlanByCode, type Plan } from './plans.queries.ts'
import { lockQuotas, moveQuota, openDay, recarryAfter } from './quota.queries.ts'
import { endReservation, liveReservationOf, type Reservation } from './reservations.queries.ts'

export type HonouredStake = {
  plan: Plan
  /** The day whose quota the promise counts on. */
  day: BusinessDay
  hadReservation: boolean
}

/**
 * Books the promise of a stake that is final on chain: on the place that its holder reserved, or on
 * the day of the stake, whose rest may go to 0. Never refuses, a plan nobody created here included. Call it once for each stake, in the
 * transaction that books the stake; it books no ledger entry.
 */
export async function honourStake(
  tx: Tx,
  stake: StakeTerms & {
    /** The staker's account, when somebody registered with the address. */
    userId?: bigint
  },
): Promise<HonouredStake> {
  const known = (await getPlanByCode(tx, stake.planCode)) ?? (await adoptPlan(tx, stake))
  await lockQuotas(tx, [known.id])
  const plan = await getPlan(tx, known.id)
  const reservation =
    stake.userId === undefined ? undefined : await useReservation(tx, plan, stake.userId)
  const day = reservation?.day ?? businessDayOf(stake.at)
  await openDay(tx, plan, day)
  await moveQuota(tx, {
    planId: plan.id,
    day,
    promised: stake.reward,
    reserved: -(reservation?.reward ?? 0n),
  })
  await recarryAfter(tx, plan, day)
  return { plan, day, hadReservation: reservation !== undefined }
}

/** Uses up the place that the holder has in this plan. One whose time is over counts until it is given back. */
async function useReservation(
  tx: Tx,
  plan: Plan,
  userId: bigint,
): Promise<Reservation | undefined> {
  const live = await liveReservationOf(tx, userId)
  if (live === undefined || live.planId !== plan.id) return undefined
  return (await endReservation(tx, { id: live.id, state: 'used' })) ? live : undefined
}
