import type { Bps } from '@dct/money'
import type { Tx } from '../../platform/db.ts'
import { beginChainChange, endChainChange, type Plan } from './plans.queries.ts'

/** What the operator's key is asked to do with a plan. */
export type PlanCall =
  | { kind: 'openPlan'; planCode: string; durationDays: number; totalBps: Bps }
  | { kind: 'closePlan'; planCode: string }

/**
 * Asks for a call on chain, once per cause, in the transaction that wants it. It is tried until the
 * chain shows it as done; calls on one plan run in the order of asking. Given by the payouts part.
 */
export type RequestPlanCall = (
  tx: Tx,
  request: { cause: string; call: PlanCall; at: Date },
) => Promise<void>

const CAUSE = /^plan:([A-Z0-9-]{1,32}):(\d{1,9})$/

/** Has a plan opened or closed on chain, as its switch says. */
export async function bringOnChain(
  requestPlanCall: RequestPlanCall,
  tx: Tx,
  { plan, isActive, at }: { plan: Plan; isActive: boolean; at: Date },
): Promise<void> {
  const { id, code, durationDays, rate } = plan
  const state = isActive ? 'opening' : 'closing'
  const revision = await beginChainChange(tx, { id, state })
  const call: PlanCall = isActive
    ? { kind: 'openPlan', planCode: code, durationDays, totalBps: rate }
    : { kind: 'closePlan', planCode: code }
  await requestPlanCall(tx, { cause: `plan:${code}:${revision}`, call, at })
}

/**
 * Notes that a call on a plan is done and final. Told by main/ for every finished call of the
 * operator; a call that a later one overtook, and calls on other things, change nothing.
 */
export async function notePlanCallDone(
  tx: Tx,
  call: { kind: string; cause: string },
): Promise<void> {
  const [, code, revision] = CAUSE.exec(call.cause) ?? []
  if (code === undefined || (call.kind !== 'openPlan' && call.kind !== 'closePlan')) return
  const state = call.kind === 'openPlan' ? 'open' : 'closed'
  await endChainChange(tx, { code, revision: Number(revision), state })
}
