import type { AdminActionName } from '@dct/api-contract/codes'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { lockIntent, moveIntent, setFailures } from './intents.queries.ts'
import type { ManageDeps } from './manage-payouts.ts'
import { chainOfCall, type OperatorCallInput } from './operator-calls.ts'
import { OPEN_STATES, own } from './payouts.tables.ts'
import { endSharedWaits } from './sender-deps.ts'
import { endWait } from './wait-alarms.ts'

export type CallInput = { callId: bigint; adminId: bigint }

/**
 * Lets an operator call that waits be tried again at once.
 * @throws Refusal `OPERATOR_CALL_NOT_FOUND`, `OPERATOR_CALL_NOT_HELD`
 */
export async function retryCall(deps: ManageDeps, input: CallInput): Promise<void> {
  await move(deps, input, { action: 'operator_call.retry', to: 'waiting' })
}

/**
 * Gives up a call that waits, so that later calls on its plan can proceed; switching the plan again requests a new call.
 * A release is never given up, because the capital must go back to its holder.
 * @throws Refusal `OPERATOR_CALL_NOT_FOUND`, `OPERATOR_CALL_NOT_HELD`, `OPERATOR_CALL_NEEDED`
 */
export async function giveUpCall(deps: ManageDeps, input: CallInput): Promise<void> {
  await move(deps, input, { action: 'operator_call.give_up', to: 'returned' })
}

async function move(
  deps: ManageDeps,
  { callId, adminId }: CallInput,
  { action, to }: { action: AdminActionName; to: 'waiting' | 'returned' },
): Promise<void> {
  const at = deps.clock.now()
  const ref = { table: 'operator_call', id: callId } as const
  await inTransaction(deps.db, async (tx) => {
    const kind = await kindOf(tx, callId)
    const { state, waitReason } = await lockIntent(tx, ref)
    if (state !== 'waiting') throw new Refusal('OPERATOR_CALL_NOT_HELD', { state })
    if (to === 'returned' && kind === 'release') throw new Refusal('OPERATOR_CALL_NEEDED')
    await moveIntent(tx, ref, to)
    await setFailures(tx, ref, 0)
    const chain = chainOfCall(kind)
    await endWait(tx, ref, { chain, reason: waitReason, at })
    await endSharedWaits(tx, { chain, at })
    await deps.recordAdminAction(tx, {
      adminId,
      action,
      subject: `operator_call:${callId}`,
      before: { state },
      after: { state: to },
      at,
    })
  })
}

async function kindOf(tx: Tx, callId: bigint): Promise<OperatorCallInput['kind']> {
  const row = await own(tx)
    .selectFrom('operator_call')
    .select('kind')
    .where('id', '=', callId)
    .executeTakeFirst()
  if (row === undefined) throw new Refusal('OPERATOR_CALL_NOT_FOUND')
  return row.kind
}

const MOST_LISTED = 100

/** Unfinished calls, in the order in which they were requested. At most 100. */
export function openCalls(db: Db) {
  return own(db)
    .selectFrom('operator_call')
    .select(['id', 'kind', 'subject', 'state', 'failures', 'wait_reason', 'wait_detail'])
    .select('created_at')
    .where('state', 'in', OPEN_STATES)
    .orderBy('id')
    .limit(MOST_LISTED)
    .execute()
}
