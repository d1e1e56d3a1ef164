import { formatUnits } from '@dct/money'
import { businessDayOf, type Clock } from '../../platform/clock.ts'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { type Facts, Refusal } from '../../platform/errors.ts'
import { bringOnChain, type RequestPlanCall } from './plan-on-chain.ts'
import type { WantedChange } from './plan-terms.ts'
import { getPlan, getPlanByCode, type Plan, updatePlanRow } from './plans.queries.ts'
import { lockQuotas, openDay, setDay } from './quota.queries.ts'

export type UpdatePlanDeps = {
  db: Db
  clock: Clock
  dctDecimals: number
  requestPlanCall: RequestPlanCall
  recordAdminAction: RecordAdminAction
}
export type UpdatePlanInput = { planCode: string; change: WantedChange; adminId: bigint }

/**
 * Changes a plan's name, daily limit, carry-over or switch. Earlier days keep the limit they had; running earnings keep
 * their terms. A change of the switch is also made on chain.
 * @throws Refusal `PLAN_NOT_FOUND`
 */
export async function updatePlan(deps: UpdatePlanDeps, input: UpdatePlanInput): Promise<Plan> {
  return inTransaction(deps.db, async (tx) => {
    const at = deps.clock.now()
    const plan = await lockPlan(tx, input.planCode)
    const day = businessDayOf(at)
    // Opened under the old settings, so that the days through yesterday are counted as they were.
    const today = await openDay(tx, plan, day)
    const { change } = input
    const isAccumulating = change.isAccumulating ?? plan.accumulatingSince !== null
    const wanted = {
      name: change.name ?? plan.name,
      dailyLimit: change.dailyLimit ?? plan.dailyLimit,
      isActive: change.isActive ?? plan.isActive,
      accumulatingSince: isAccumulating ? (plan.accumulatingSince ?? day) : null,
    }
    const carry = isAccumulating ? today.carry : 0n
    await setDay(tx, { planId: plan.id, day, carry, limit: wanted.dailyLimit })
    const changed = await updatePlanRow(tx, plan.id, wanted)
    if (changed.isActive !== plan.isActive) {
      await bringOnChain(deps.requestPlanCall, tx, { plan, isActive: changed.isActive, at })
    }
    await deps.recordAdminAction(tx, {
      adminId: input.adminId,
      action: 'plan.update',
      subject: plan.code,
      before: describeChangeable(plan, deps.dctDecimals),
      after: describeChangeable(changed, deps.dctDecimals),
      at,
    })
    return getPlan(tx, plan.id)
  })
}

async function lockPlan(tx: Tx, code: string): Promise<Plan> {
  const found = await getPlanByCode(tx, code)
  if (found === undefined) throw new Refusal('PLAN_NOT_FOUND', { plan_code: code })
  await lockQuotas(tx, [found.id])
  return getPlan(tx, found.id)
}

function describeChangeable(plan: Plan, dctDecimals: number): Facts {
  return {
    name: plan.name,
    daily_limit: formatUnits(plan.dailyLimit, dctDecimals),
    is_active: plan.isActive,
    is_accumulation_active: plan.accumulatingSince !== null,
  }
}
