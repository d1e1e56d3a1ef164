import type { Clock } from '../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Site } from './challenge-text.ts'
import { type ClaimedProof, proveChallenge, requireProof } from './prove-challenge.ts'
import { countAttempt } from './rate-limit.ts'
import { type Client, type OpenedSession, openSession } from './sessions.ts'
import { findUserByAddress } from './users.queries.ts'

export type SignInDeps = { db: Db; realClock: Clock; site: Site; signInsPerMinute: number }
/** A hook for other modules on each sign-in, in the same transaction. */
export type OnSignedIn = (
  tx: Tx,
  signIn: { userId: bigint; client: LogInInput['client']; at: Date },
) => Promise<void>

export type LogInDeps = SignInDeps & { onSignedIn: OnSignedIn }
export type LogInInput = ClaimedProof & {
  address: Uint8Array
  /** `device` is the random text by which the browser can be recognised, if it sends one. */
  client: Client & { device: string | undefined }
}

/**
 * Opens a session for the wallet that signed the challenge.
 * @throws Refusal `SIGNATURE_REQUIRED`, `TOO_MANY_REQUESTS`, `CHALLENGE_USED`, `CHALLENGE_EXPIRED`,
 * `BAD_SIGNATURE`, `NOT_REGISTERED`
 */
export async function logIn(
  deps: LogInDeps,
  input: LogInInput,
): Promise<OpenedSession & { userId: bigint }> {
  const proof = requireProof(input)
  await countSignIn(deps, { action: 'login', ip: input.client.ip, address: input.address })
  return inTransaction(deps.db, async (tx) => {
    await proveChallenge(deps, tx, { ...proof, purpose: 'login', address: input.address })
    const user = await findUserByAddress(tx, input.address)
    if (user === undefined) throw new Refusal('NOT_REGISTERED')
    const session = await openSession(deps, tx, {
      userId: user.id,
      role: user.role,
      client: input.client,
    })
    const at = deps.realClock.now()
    await deps.onSignedIn(tx, { userId: user.id, client: input.client, at })
    return { ...session, userId: user.id }
  })
}

/** Counts one call that carries a proof, against the rate limit. @throws Refusal `TOO_MANY_REQUESTS` */
export async function countSignIn(
  deps: SignInDeps,
  call: { action: 'login' | 'register' | 'step_up'; ip: string; address: Uint8Array },
): Promise<void> {
  await countAttempt(deps, {
    action: call.action,
    ip: call.ip,
    subject: Buffer.from(call.address).toString('hex'),
    perMinute: deps.signInsPerMinute,
  })
}
