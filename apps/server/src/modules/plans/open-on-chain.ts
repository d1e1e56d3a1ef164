import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { type CreatePlanDeps, checkPlan } from './create-plan.ts'
import type { PlanCall } from './plan-on-chain.ts'
import type { PlanTerms } from './plan-terms.ts'

const ASKED_EVERY_MS = 1_000

/**
 * Has the contract fix the terms of a plan before it is funded, so that no one can set other terms for its funds, and
 * waits until that is final. A plan that is not active yet is closed again. Idempotent.
 * @throws Refusal like `checkPlan`, and `PLAN_TERMS_PENDING` if it takes too long
 */
export async function openOnChain(deps: CreatePlanDeps, terms: PlanTerms): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += ASKED_EVERY_MS) {
    const { fixed } = await checkPlan(deps, terms)
    if (fixed !== undefined) return
    if (waitedMs === 0) await requestOpening(deps, terms)
    if (waitedMs >= deps.fundingPatienceMs) throw new Refusal('PLAN_TERMS_PENDING')
    await pause(ASKED_EVERY_MS)
  }
}

async function requestOpening(deps: CreatePlanDeps, terms: PlanTerms): Promise<void> {
  const { code, durationDays, rate, isActive } = terms
  const open: PlanCall = { kind: 'openPlan', planCode: code, durationDays, totalBps: rate }
  const at = deps.clock.now()
  // The time in the cause allows a call that an admin has given up to be requested again; a call that is already done
  // is not sent again.
  const cause = `open:${code}:${at.getTime()}`
  await inTransaction(deps.db, async (tx) => {
    await deps.requestPlanCall(tx, { cause, call: open, at })
    if (isActive) return
    const close: PlanCall = { kind: 'closePlan', planCode: code }
    await deps.requestPlanCall(tx, { cause: `${cause}:close`, call: close, at })
  })
}
