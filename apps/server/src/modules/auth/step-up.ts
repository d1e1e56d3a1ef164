import { type Clock, msSince } from '../../platform/clock.ts'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { SessionUser } from '../../platform/http/http.ts'
import { countSignIn, type SignInDeps } from './log-in.ts'
import { type ClaimedProof, proveChallenge, requireProof } from './prove-challenge.ts'
import { confirmedAt, confirmSession } from './sessions.queries.ts'

const CONFIRMED_FOR_MS = 10 * 60_000

/**
 * Confirms a session by a fresh signature of its own wallet.
 * @returns the time until which it may do sensitive actions.
 * @throws Refusal like `logIn`
 */
export async function stepUp(
  deps: SignInDeps,
  input: ClaimedProof & { user: SessionUser; ip: string },
): Promise<Date> {
  const proof = requireProof(input)
  const { address, sessionHash } = input.user
  await countSignIn(deps, { action: 'step_up', ip: input.ip, address })
  return inTransaction(deps.db, async (tx) => {
    await proveChallenge(deps, tx, { ...proof, purpose: 'step_up', address })
    const at = deps.realClock.now()
    await confirmSession(tx, { tokenHash: sessionHash, at })
    return new Date(at.getTime() + CONFIRMED_FOR_MS)
  })
}

/**
 * Allows a sensitive action of an admin. With `lastingMs`, the confirmation must also cover an action that follows
 * within that time.
 * @throws Refusal `STEP_UP_REQUIRED`
 */
export type StepUpGuard = (user: SessionUser, need?: { lastingMs: number }) => Promise<void>

/** Creates the guard for the modules with sensitive actions. Where step-up is off, it allows everything. */
export function createStepUpGuard(deps: {
  db: Db
  realClock: Clock
  isRequired: boolean
}): StepUpGuard {
  return async (user, need = { lastingMs: 0 }) => {
    if (!deps.isRequired) return
    const at = await confirmedAt(deps.db, user.sessionHash)
    const agoMs = msSince(at, deps.realClock.now())
    if (agoMs + need.lastingMs >= CONFIRMED_FOR_MS) throw new Refusal('STEP_UP_REQUIRED')
  }
}
