import type { Bps } from '@dct/money'
import type { Tx } from '../../platform/database/db.ts'
import { beginChainChange, endChainChange, type Plan } from './plans.queries.ts'

/** A call on a plan, to be sent with the operator's key. */
export type PlanCall =
  | { kind: 'openPlan'; planCode: string; durationDays: number; totalBps: Bps }
  | { kind: 'closePlan'; planCode: string }

/**
 * Requests a call on chain, once per cause, in the caller's transaction. It is retried until the chain shows it as
 * done; calls on one plan run in the order of the requests. Provided by the payouts module.
 */
export type RequestPlanCall = (
  tx: Tx,
  request: { cause: string; call: PlanCall; at: Date },
) => Promise<void>

const CAUSE = /^plan:([A-Z0-9-]{1,32}):(\d{1,9})$/

/** Has a plan opened or closed on chain to match its switch. */
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
 * Records that a call on a plan is done and final. main/ invokes this for every finished call of the operator; a call
 * superseded by a later one, and calls on other things, change nothing.
 */
export async function recordPlanCallDone(
  tx: Tx,
  call: { kind: string; cause: string },
): Promise<void> {
  const [, code, revision] = CAUSE.exec(call.cause) ?? []
  if (code === undefined || (call.kind !== 'openPlan' && call.kind !== 'closePlan')) return
  const state = call.kind === 'openPlan' ? 'open' : 'closed'
  await endChainChange(tx, { code, revision: Number(revision), state })
}
