import { type Db, inTransaction, type Tx } from '../../../platform/database/db.ts'
import { invariant } from '../../../platform/errors.ts'
import { type FinalFacts, isRetryDue, lockIntent, markFinal } from '../intents.queries.ts'
import { OPEN_STATES, own } from '../payouts.tables.ts'

/**
 * The calls that the operator's key makes besides paying rewards. The effect of each can be read back from the chain.
 */
export type OperatorCallInput =
  | { kind: 'openPlan'; planCode: string; durationDays: number; totalBps: bigint }
  | { kind: 'closePlan'; planCode: string }
  | { kind: 'release'; stakeId: bigint }
export type OperatorCall = OperatorCallInput & { id: bigint; cause: string }
/** Called in the transaction that ends the call. `txHash` is null when the chain already showed the call as done. */
export type OnCallDone = (tx: Tx, call: OperatorCall & FinalFacts) => Promise<void>

/**
 * Requests a call on chain, once per cause. It is sent until the chain shows it as done; if it already does, whoever
 * did it, nothing is sent. Calls on one plan or stake run in the order in which they were requested.
 */
export async function requestOperatorCall(
  tx: Tx,
  request: { cause: string; call: OperatorCallInput; at: Date },
): Promise<void> {
  const { kind, ...args } = request.call
  const subject = 'planCode' in args ? `plan:${args.planCode}` : `stake:${args.stakeId}`
  const texts = Object.entries(args).map(([name, value]) => [name, `${value}`])
  await own(tx)
    .insertInto('operator_call')
    .values({
      cause: request.cause,
      kind,
      args: Object.fromEntries(texts),
      subject,
      created_at: request.at,
    })
    .onConflict((conflict) => conflict.constraint('operator_call_cause_once').doNothing())
    .execute()
}

/** Calls that may be tried now: queued, due, and the first unfinished one on their plan or stake. */
export async function dueCalls(
  db: Db,
  query: { now: Date; limit: number },
): Promise<OperatorCall[]> {
  const rows = await own(db)
    .selectFrom('operator_call as call')
    .select(['id', 'cause', 'kind', 'args'])
    .where('state', '=', 'waiting')
    .where(isRetryDue(query.now))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('operator_call as earlier')
            .select('earlier.id')
            .whereRef('earlier.subject', '=', 'call.subject')
            .whereRef('earlier.id', '<', 'call.id')
            .where('earlier.state', 'in', OPEN_STATES),
        ),
      ),
    )
    .orderBy('id')
    .limit(query.limit)
    .execute()
  return rows.map(readCall)
}

export async function getOperatorCall(db: Db | Tx, id: bigint): Promise<OperatorCall> {
  const row = await own(db)
    .selectFrom('operator_call')
    .select(['id', 'cause', 'kind', 'args'])
    .where('id', '=', id)
    .executeTakeFirst()
  invariant(row !== undefined, `operator call ${id} does not exist`)
  return readCall(row)
}

type CallRow = {
  id: bigint
  cause: string
  kind: OperatorCallInput['kind']
  args: Record<string, string>
}

function readCall({ id, cause, kind, args }: CallRow): OperatorCall {
  const text = (name: string): string => {
    const value = args[name]
    invariant(value !== undefined, `operator call ${id} has no ${name}`)
    return value
  }
  switch (kind) {
    case 'openPlan': {
      const terms = {
        durationDays: Number(text('durationDays')),
        totalBps: BigInt(text('totalBps')),
      }
      return { id, cause, kind, planCode: text('planCode'), ...terms }
    }
    case 'closePlan':
      return { id, cause, kind, planCode: text('planCode') }
    case 'release':
      return { id, cause, kind, stakeId: BigInt(text('stakeId')) }
  }
}

/** Ends a call as done. Safe to repeat. */
export async function finishCall(
  db: Db,
  onDone: OnCallDone,
  input: { id: bigint; facts: FinalFacts; end: (tx: Tx) => Promise<void> },
): Promise<void> {
  const ref = { table: 'operator_call', id: input.id } as const
  await inTransaction(db, async (tx) => {
    const { state } = await lockIntent(tx, ref)
    if (state === 'final') return
    await input.end(tx)
    await markFinal(tx, ref, input.facts)
    await onDone(tx, { ...(await getOperatorCall(tx, input.id)), ...input.facts })
  })
}
