import { CallNotAllowed } from '@dct/chain-clients/senders/index'
import { SignerUnavailable, WrongSignature } from '@dct/chain-clients/signers/index'
import type { Hex } from 'viem'
import { realClock } from '../../platform/clock.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { isHalted } from '../chain/index.ts'
import { haltOf } from './hold-payouts.ts'
import {
  type Attempt,
  type IntentRef,
  insertAttempt,
  lockIntent,
  moveIntent,
  type NewAttempt,
  nextAttemptNumber,
  type Statement,
} from './intents.queries.ts'
import type { Chain } from './payouts.tables.ts'
import { describe, type SenderDeps, type WaitReason, waitFor } from './sender-deps.ts'
import { endWait } from './wait-alarms.ts'

export type SigningTarget = {
  intent: IntentRef
  chain: Chain
  sender: Hex
  states: Statement | null
}
/** The attempt and nonce that a transaction is signed for. Only BSC has nonces. */
export type Place<N extends number | null> = { attempt: number; nonce: N }
type Signed = Pick<NewAttempt, 'hash' | 'raw' | 'gasPrice' | 'expiresAt'>

/**
 * Signs a transaction without holding a lock, because a signer may take seconds, and stores its bytes only if the
 * attempt and nonce that they were signed for are still free. If another process was faster, an admin has held the
 * payout or the chain has been halted by then, the bytes are dropped. Only bytes that this function returned may be
 * sent. A crash at any moment leaves either the whole attempt stored, or nothing.
 * @param steps `findPlace` reads under locks which attempt and nonce come next (undefined: nothing may be signed). It
 * runs before `sign`, and again in the transaction that stores the bytes, where `takePlace` then uses up the place.
 * @returns undefined if nothing was stored
 * @throws SignerUnavailable, WrongSignature; nothing was stored
 */
export async function signOutside<P extends Place<number | null>>(
  deps: SenderDeps,
  target: SigningTarget,
  steps: {
    findPlace(tx: Tx): Promise<P | undefined>
    sign(place: P): Promise<Signed>
    takePlace(tx: Tx, place: P): Promise<void>
  },
): Promise<Attempt | undefined> {
  const place = await inTransaction(deps.db, (tx) => steps.findPlace(tx))
  if (place === undefined) return undefined
  deps.crashPoint('before-sign')
  const signed = await steps.sign(place)
  deps.crashPoint('after-sign-before-save')
  const saved = await inTransaction(deps.db, async (tx) => {
    const free = await steps.findPlace(tx)
    if (free?.attempt !== place.attempt || free.nonce !== place.nonce) return undefined
    await steps.takePlace(tx, free)
    const { attempt, nonce } = free
    // Real time, like all measurements of how long a node takes.
    return insertAttempt(tx, { ...signed, ...target, attempt, nonce, at: realClock.now() })
  })
  if (saved !== undefined) deps.crashPoint('after-save')
  else deps.log.info({ ...describe(target.intent), hash: signed.hash }, 'signedBytesDropped')
  return saved
}

/** Whether a signer failed. It may succeed later. */
export function isSignerFailure(error: unknown): error is SignerUnavailable | WrongSignature {
  return error instanceof SignerUnavailable || error instanceof WrongSignature
}

export type SigningOutcome =
  | { kind: 'stored'; attempt: Attempt }
  /** Another process was faster, a halt applies, or the key's policy does not allow it. */
  | { kind: 'notNow' }
  /** The signer failed, and the intent waits for it. */
  | { kind: 'noSignature' }

/** `lockNonce` locks the sender and reads its next nonce (undefined: nothing may be signed); `takeNonce` uses it up. */
export type SigningSteps<N extends number | null> = {
  lockNonce(tx: Tx): Promise<N | undefined>
  sign(place: Place<N>): Promise<Signed>
  takeNonce(tx: Tx, nonce: N): Promise<void>
}

/** Signs a transaction for a waiting intent and stores its bytes. */
export async function signOnce<N extends number | null>(
  deps: SenderDeps,
  target: SigningTarget,
  steps: SigningSteps<N>,
): Promise<SigningOutcome> {
  const { intent, chain } = target
  try {
    const attempt = await signOutside(deps, target, {
      async findPlace(tx) {
        const queued = await lockSignable(tx, target)
        if (queued === undefined) return undefined
        const nonce = await steps.lockNonce(tx)
        if (nonce === undefined) return undefined
        return { ...queued, nonce, attempt: await nextAttemptNumber(tx, intent) }
      },
      sign: (place) => steps.sign(place),
      async takePlace(tx, { nonce, waitReason: reason }) {
        await steps.takeNonce(tx, nonce)
        await moveIntent(tx, intent, 'sent')
        await endWait(tx, intent, { chain, reason, at: deps.clock.now() })
      },
    })
    if (attempt === undefined) return { kind: 'notNow' }
    deps.log.info({ ...describe(intent), hash: attempt.hash, nonce: attempt.nonce }, 'payoutSigned')
    return { kind: 'stored', attempt }
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === undefined || !(error instanceof Error)) throw error
    await waitFor(deps, intent, { chain, reason, detail: error.message })
    return reason === 'SIGNER' ? { kind: 'noSignature' } : { kind: 'notNow' }
  }
}

/** The reason to wait after a refusal to sign; undefined for any other error. */
function reasonOf(error: unknown): WaitReason | undefined {
  if (isSignerFailure(error)) return 'SIGNER'
  return error instanceof CallNotAllowed ? 'CALL_NOT_ALLOWED' : undefined
}

/**
 * Locks an intent that may be signed now.
 * @returns undefined if it may not be signed, as while a halt applies to it
 */
async function lockSignable(
  tx: Tx,
  { intent, chain }: SigningTarget,
): Promise<{ waitReason: string | null } | undefined> {
  const { state, isHeld, waitReason } = await lockIntent(tx, intent)
  if (state !== 'waiting' || isHeld) return undefined
  if (await isHalted(tx, chain)) return undefined
  const halt = intent.table === 'payout' ? await haltOf(tx, intent.id) : undefined
  return halt === undefined ? { waitReason } : undefined
}
