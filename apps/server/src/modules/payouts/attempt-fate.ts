import { inTransaction, type Tx } from '../../platform/database/db.ts'
import {
  type Attempt,
  endAttempts,
  lockIntent,
  moveIntent,
  setFailures,
} from './intents.queries.ts'
import { describe, type SenderDeps, waitFor } from './sender-deps.ts'

const REVERTS_BEFORE_PAUSE = 2
/** How much later than usual the next try comes then. */
const PAUSE_FACTOR = 40

type EndDeps = Pick<SenderDeps, 'db' | 'clock' | 'log'>

export type AttemptEnd =
  /** Final, but reverted. */
  | { kind: 'reverted'; failure: string; blockNumber: bigint; txHash: string }
  /** Can no longer be included in any block. */
  | { kind: 'expired'; proof: Record<string, unknown> }

/**
 * Ends a failed or expired attempt (on BSC all its variants) with the proof, so that its intent waits for the next one.
 * Does nothing if the attempt has already ended.
 */
export async function expireAttempt(
  deps: EndDeps,
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
    if (state === 'sent') await moveIntent(tx, attempt.intent, 'waiting')
  })
  deps.log.warn({ ...describe(attempt.intent), hash: attempt.hash, proof }, 'attemptExpired')
}

/** From the second failure in a row on, the next try comes later and somebody is told. */
export async function pauseAfterRevert(
  deps: SenderDeps,
  { chain, intent }: Attempt,
  failure: string,
): Promise<void> {
  const { failures, state } = await inTransaction(deps.db, (tx) => lockIntent(tx, intent))
  if (state !== 'waiting' || failures < REVERTS_BEFORE_PAUSE) return
  const detail = `${failures} in a row, the last with ${failure}.`
  const retryMs = deps.timing.retryMs * PAUSE_FACTOR
  await waitFor(deps, intent, { chain, reason: 'REVERTED', detail, retryMs })
}

function proofOf(end: AttemptEnd): Record<string, unknown> {
  if (end.kind === 'expired') return end.proof
  const { kind, blockNumber, txHash } = end
  const failure = end.kind === 'reverted' ? { failure: end.failure } : {}
  return { kind, txHash, blockNumber: `${blockNumber}`, ...failure }
}
