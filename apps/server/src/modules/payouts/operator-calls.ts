import type { Hex } from 'viem'
import { type Db, type DbOrTx, inTransaction, type Tx } from '../../platform/database/db.ts'
import { invariant } from '../../platform/errors.ts'
import {
  endAttempts,
  type FinalFacts,
  type IntentRef,
  isRetryDue,
  lockIntent,
  markFinal,
  winAttempt,
} from './intents.queries.ts'
import { clearAlarmsOf } from './payout-alarms.ts'
import { type Chain, OPEN_STATES, own } from './payouts.tables.ts'

/**
 * The calls that the operators' keys make besides paying: on Tron, and on BSC the publication of what is owed. The effect
 * of each can be read back from the chain.
 */
export type OperatorCallInput =
  | { kind: 'openPlan'; planCode: string; durationDays: number; totalBps: bigint }
  | { kind: 'closePlan'; planCode: string }
  | { kind: 'release'; stakeId: bigint }
  | ({ kind: 'publishOwed' } & PublishedOwed)
/** Root and sum (USDT base units) of what all referrers were owed at the end of a business day. */
export type PublishedOwed = { day: string; root: Hex; sum: bigint }
export type OperatorCall = OperatorCallInput & { id: bigint; cause: string }
/** Called in the transaction that ends the call. `txHash` is null when the chain already showed the call as done. */
export type OnCallDone = (tx: Tx, call: OperatorCall & FinalFacts) => Promise<void>

const KINDS_OF = {
  TRON: ['openPlan', 'closePlan', 'release'],
  BSC: ['publishOwed'],
} as const satisfies Record<Chain, readonly OperatorCallInput['kind'][]>

/** The chain on which a call is made. */
export function chainOfCall(kind: OperatorCallInput['kind']): Chain {
  return kind === 'publishOwed' ? 'BSC' : 'TRON'
}

/**
 * Requests a call on chain, once per cause. It is sent until the chain shows it as done; if it already does, whoever
 * did it, nothing is sent. Calls on one plan, stake or day run in the order in which they were requested.
 */
export async function requestOperatorCall(
  tx: Tx,
  request: { cause: string; call: OperatorCallInput; at: Date },
): Promise<void> {
  const { kind, ...args } = request.call
  const texts = Object.entries(args).map(([name, value]) => [name, `${value}`])
  await own(tx)
    .insertInto('operator_call')
    .values({
      cause: request.cause,
      kind,
      args: Object.fromEntries(texts),
      subject: subjectOf(request.call),
      created_at: request.at,
    })
    .onConflict((conflict) => conflict.constraint('operator_call_cause_once').doNothing())
    .execute()
}

function subjectOf(call: OperatorCallInput): string {
  if ('planCode' in call) return `plan:${call.planCode}`
  return call.kind === 'release' ? `stake:${call.stakeId}` : `owed:${call.day}`
}

/** The reasons for which payouts and calls on a chain wait. */
export async function waitReasons(db: DbOrTx, chain: Chain): Promise<ReadonlySet<string>> {
  const rows = await own(db)
    .selectFrom('payout')
    .select('wait_reason')
    .where('chain', '=', chain)
    .where('state', '=', 'waiting')
    .union((eb) =>
      eb
        .selectFrom('operator_call')
        .select('wait_reason')
        .where('kind', 'in', KINDS_OF[chain])
        .where('state', '=', 'waiting'),
    )
    .execute()
  return new Set(rows.flatMap(({ wait_reason }) => wait_reason ?? []))
}

/** Calls on a chain that may be tried now: queued, due, and the first unfinished one on their plan, stake or day. */
export async function dueCalls(
  db: Db,
  query: { chain: Chain; now: Date; limit: number },
): Promise<OperatorCall[]> {
  const rows = await own(db)
    .selectFrom('operator_call as call')
    .select(['id', 'cause', 'kind', 'args'])
    .where('state', '=', 'waiting')
    .where('kind', 'in', KINDS_OF[query.chain])
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
    case 'publishOwed': {
      const [day, root, sum] = [text('day'), text('root') as Hex, BigInt(text('sum'))]
      return { id, cause, kind, day, root, sum }
    }
  }
}

/** Ends a call whose transaction is final. Safe to repeat. */
export function finishSentCall(
  db: Db,
  onDone: OnCallDone,
  sent: { id: bigint; facts: FinalFacts & { txHash: Hex }; at: Date },
): Promise<void> {
  const { facts, at } = sent
  return finishCall(db, onDone, sent, async (tx, ref) => {
    await winAttempt(tx, ref, { hash: facts.txHash, at })
    await endAttempts(tx, ref, { proof: { kind: 'another transaction has its nonce' }, at })
  })
}

/** Ends a call that the chain shows as done already, whoever did it; one that is sent ends by its transaction. Safe to repeat. */
export function finishDoneCall(
  db: Db,
  onDone: OnCallDone,
  { id, at }: { id: bigint; at: Date },
): Promise<void> {
  const facts = { txHash: null, blockNumber: null, at }
  return finishCall(db, onDone, { id, facts, at, isUnsent: true }, async (tx, ref) => {
    await endAttempts(tx, ref, { proof: { kind: 'done by another' }, at })
  })
}

async function finishCall(
  db: Db,
  onDone: OnCallDone,
  { id, facts, at, isUnsent }: { id: bigint; facts: FinalFacts; at: Date; isUnsent?: boolean },
  end: (tx: Tx, ref: IntentRef) => Promise<void>,
): Promise<void> {
  const ref = { table: 'operator_call', id } as const
  await inTransaction(db, async (tx) => {
    const { state } = await lockIntent(tx, ref)
    if (state === 'final' || (isUnsent === true && state === 'sent')) return
    await end(tx, ref)
    await markFinal(tx, ref, facts)
    await clearAlarmsOf(tx, ref, at)
    await onDone(tx, { ...(await getOperatorCall(tx, id)), ...facts })
  })
}
