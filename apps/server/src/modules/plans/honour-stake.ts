import { type BusinessDay, businessDayOf } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import { adoptPlan, type StakeTerms } from './adopt-plan.ts'
import type { Plan } from './plans.queries.ts'
import { lockQuotaOf, lockQuotas, moveQuota, openDayAfter, recarryAfter } from './quota.queries.ts'
import { endReservation } from './reservations.queries.ts'
import { readStanding, type Standing } from './standing.queries.ts'

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
  const planId = (await lockQuotaOf(tx, stake.planCode)) ?? (await adoptAndLock(tx, stake))
  const { plan, place, day, latest, hasLaterDays } = await standingFor(tx, planId, stake)
  await openDayAfter(tx, plan, { latest, day })
  await moveQuota(tx, {
    ...{ planId, day },
    ...{ promised: stake.reward, reserved: -(place?.reward ?? 0n) },
  })
  if (hasLaterDays) await recarryAfter(tx, plan, day)
  return { plan, day, hadReservation: place !== undefined }
}

async function adoptAndLock(tx: Tx, stake: StakeTerms): Promise<bigint> {
  const { id } = await adoptPlan(tx, stake)
  await lockQuotas(tx, [id])
  return id
}

/** With the place that the holder has in this plan used up. One whose time is over counts until it is given back. */
async function standingFor(
  tx: Tx,
  planId: bigint,
  { userId, at }: { userId?: bigint; at: Date },
): Promise<Standing> {
  const day = businessDayOf(at)
  const found = await readStanding(tx, { planId, userId, day })
  if (found.place === undefined) return found
  if (await endReservation(tx, { id: found.place.id, state: 'used' })) return found
  return readStanding(tx, { planId, userId: undefined, day })
}
