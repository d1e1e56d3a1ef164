import { raiseAlarm } from '../../platform/alarms/alarms.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import {
  type Attempt,
  endAttempts,
  type IntentRef,
  lockIntent,
  moveIntent,
  setFailures,
} from './intents.queries.ts'
import { HELD_ALARM } from './payout-alarms.ts'
import { describe, type SenderDeps } from './sender-deps.ts'

/** After this many final reverts an intent is held for an admin. */
const REVERTS_BEFORE_HOLD = 2

export type AttemptEnd =
  /** Final, but reverted. Counts towards the hold. */
  | { kind: 'reverted'; failure: string; blockNumber: bigint; txHash: string }
  /** Final and successful, but without the payment's event. Never retried automatically. */
  | { kind: 'no-event'; blockNumber: bigint; txHash: string }
  /** Can no longer be included in any block. */
  | { kind: 'expired'; proof: Record<string, unknown> }

/**
 * Ends a failed or expired attempt (on BSC all its variants) with the proof, and either queues the intent again or
 * holds it for an admin. Does nothing if the attempt has already ended.
 */
export async function expireAttempt(
  deps: Pick<SenderDeps, 'db' | 'clock' | 'log'>,
  attempt: Attempt,
  end: AttemptEnd,
  alsoInTransaction: (tx: Tx, proof: Record<string, unknown>) => Promise<void> = async () =>
    undefined,
): Promise<void> {
  const at = deps.clock.now()
  const proof = proofOf(end)
  await inTransaction(deps.db, async (tx) => {
    const { state, failures } = await lockIntent(tx, attempt.intent)
    const only = attempt.nonce === null ? { only: attempt.id } : {}
    if ((await endAttempts(tx, attempt.intent, { proof, at, ...only })) === 0) return
    await alsoInTransaction(tx, proof)
    const reverts = end.kind === 'reverted' ? failures + 1 : failures
    await setFailures(tx, attempt.intent, reverts)
    if (state !== 'signed') return
    const note = holdNote(end, reverts)
    if (note === undefined) return moveIntent(tx, attempt.intent, 'queued')
    await moveIntent(tx, attempt.intent, { held: note })
    await alarmHeld(tx, attempt.intent, { note, at })
  })
  deps.log.warn({ ...describe(attempt.intent), hash: attempt.hash, proof }, 'attemptExpired')
}

async function alarmHeld(
  tx: Tx,
  intent: IntentRef,
  held: { note: string; at: Date },
): Promise<void> {
  const subject = `${intent.table}:${intent.id}`
  await raiseAlarm(tx, { kind: HELD_ALARM, subject, message: held.note, at: held.at })
}

function holdNote(end: AttemptEnd, reverts: number): string | undefined {
  if (end.kind === 'no-event') {
    return `Transaction ${end.txHash} succeeded without the payment's event.`
  }
  if (end.kind === 'reverted' && reverts >= REVERTS_BEFORE_HOLD) {
    return `${reverts} transactions failed in final blocks, the last with ${end.failure}.`
  }
  return undefined
}

function proofOf(end: AttemptEnd): Record<string, unknown> {
  if (end.kind === 'expired') return end.proof
  const { kind, blockNumber, txHash } = end
  const failure = end.kind === 'reverted' ? { failure: end.failure } : {}
  return { kind, txHash, blockNumber: `${blockNumber}`, ...failure }
}
