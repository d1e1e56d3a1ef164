import { raiseAlarm } from '../../../platform/alarms/alarms.ts'
import { msSince, realClock } from '../../../platform/clock.ts'
import { invariant } from '../../../platform/errors.ts'
import { getPayout } from '../create-payout.ts'
import { type Attempt, lockIntent, nextAttemptNumber } from '../intents.queries.ts'
import { STUCK_ALARM } from '../payout-alarms.ts'
import { isRestoreOpen } from '../restored-backup.ts'
import { isSignerFailure, signOutside } from '../sign-outside.ts'
import { type BscDeps, gasLimit, transferCall } from './bsc-deps.ts'

/** Nodes accept a replacement only at a price at least 10 % higher; 12.5 % is safely above that. */
const PRICE_STEP = { numerator: 9n, denominator: 8n }

/**
 * Signs the same payment again, at the same nonce and a higher price, when it was not mined in time. The bytes are
 * stored before they are sent; at most one of the variants can be mined.
 * @returns whether a replacement was signed
 */
export async function replaceStuck(deps: BscDeps, variants: readonly Attempt[]): Promise<boolean> {
  const newest = variants.at(-1)
  invariant(newest !== undefined, 'a nonce has a transaction')
  const ageMs = msSince(newest.signedAt, realClock.now())
  if (ageMs < deps.timing.replaceAfterMs) return false
  const gasPrice = await higherPrice(deps, newest.gasPrice ?? 0n)
  if (gasPrice === undefined) {
    await alarmStuck(deps, newest, 'a replacement would exceed the maximum gas price.')
    return false
  }
  const replacement = await signReplacementOrAlarm(deps, newest, gasPrice)
  if (replacement === undefined) return false
  const answer = await deps.node.broadcast(replacement.raw)
  deps.log.info({ hash: replacement.hash, nonce: replacement.nonce, ...answer }, 'payoutReplaced')
  deps.crashPoint('after-replacement')
  return true
}

async function higherPrice(deps: BscDeps, before: bigint): Promise<bigint | undefined> {
  const step = (before * PRICE_STEP.numerator) / PRICE_STEP.denominator + 1n
  const asked = await deps.node.gasPrice()
  const price = asked > step ? asked : step
  return price > deps.maxGasPrice ? undefined : price
}

async function alarmStuck(deps: BscDeps, attempt: Attempt, why: string): Promise<void> {
  await raiseAlarm(deps.db, {
    kind: STUCK_ALARM,
    subject: `payout:${attempt.intent.id}`,
    message: `Transaction ${attempt.hash} is not mined, and ${why}`,
    at: deps.clock.now(),
  })
}

/**
 * Raises an alarm for a transaction that only a former wallet's key could replace. Its status is still followed, and it
 * is mined once that wallet has BNB.
 * @returns false, because nothing was decided
 */
export async function raiseStrandedAlarm(deps: BscDeps, attempt: Attempt): Promise<false> {
  const ageMs = msSince(attempt.signedAt, realClock.now())
  if (ageMs < deps.timing.replaceAfterMs) return false
  await raiseAlarm(deps.db, {
    kind: STUCK_ALARM,
    subject: `payout:${attempt.intent.id}`,
    message: `Transaction ${attempt.hash} of the former payout wallet ${attempt.sender} is not mined. Send that wallet BNB, or use up its nonce ${attempt.nonce} with the former key.`,
    at: deps.clock.now(),
  })
  return false
}

async function signReplacementOrAlarm(
  deps: BscDeps,
  stuck: Attempt,
  gasPrice: bigint,
): Promise<Attempt | undefined> {
  try {
    return await signReplacement(deps, stuck, gasPrice)
  } catch (error) {
    // A variant pays no more than the transaction it replaces, so the daily limit does not apply.
    if (!isSignerFailure(error)) throw error
    await alarmStuck(deps, stuck, `a replacement could not be signed. ${error.message}`)
    return undefined
  }
}

async function signReplacement(
  deps: BscDeps,
  stuck: Attempt,
  gasPrice: bigint,
): Promise<Attempt | undefined> {
  const { intent, nonce } = stuck
  invariant(nonce !== null, 'a BSC attempt has a nonce')
  const call = transferCall(deps, await getPayout(deps.db, intent.id))
  const outcome = await deps.node.simulate({ from: deps.wallet, ...call })
  if (!outcome.succeeded) return undefined
  const gas = gasLimit(outcome.used)
  const target = { intent, chain: 'BSC', sender: deps.wallet, states: null } as const
  return signOutside(deps, target, {
    async findPlace(tx) {
      const { state } = await lockIntent(tx, intent)
      // An admin has held it, or another process has ended it in the meantime.
      if (state !== 'sent' || (await isRestoreOpen(tx))) return undefined
      // If the payout has been signed again for another nonce, the next attempt number differs.
      return { attempt: await nextAttemptNumber(tx, intent), nonce }
    },
    async sign() {
      const signed = await deps.signer.sign({ ...call, nonce, gas, gasPrice })
      return { ...signed, gasPrice, expiresAt: null }
    },
    // The nonce already belongs to this payout.
    takePlace: async () => undefined,
  })
}
