import { raiseAlarm } from '../../platform/alarms.ts'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/db.ts'
import { invariant } from '../../platform/errors.ts'
import { type BscDeps, gasLimit, transferCall } from './bsc-deps.ts'
import { getPayout } from './create-payout.ts'
import { type Attempt, insertAttempt, lockIntent, nextAttemptNumber } from './intents.queries.ts'
import { STUCK_ALARM } from './payout-alarms.ts'

/** Nodes take a replacement only when it offers a tenth more; an eighth leaves no doubt. */
const PRICE_STEP = { numerator: 9n, denominator: 8n }

/**
 * Signs the same payment again, at the same nonce, for a higher price, when it was not mined in time.
 * The bytes are stored first; either variant can be mined, never both. True when one was signed.
 */
export async function replaceStuck(deps: BscDeps, variants: readonly Attempt[]): Promise<boolean> {
  const newest = variants.at(-1)
  invariant(newest !== undefined, 'a nonce has a transaction')
  const age = realClock.now().getTime() - newest.signedAt.getTime()
  if (age < deps.timing.replaceAfterMs) return false
  const gasPrice = await higherPrice(deps, newest.gasPrice ?? 0n)
  if (gasPrice === undefined) {
    await alarmStuck(deps, newest)
    return false
  }
  const replacement = await signReplacement(deps, newest, gasPrice)
  if (replacement === undefined) return false
  const answer = await deps.node.broadcast(replacement.raw)
  deps.log.info({ hash: replacement.hash, nonce: replacement.nonce, ...answer }, 'payoutReplaced')
  return true
}

async function higherPrice(deps: BscDeps, before: bigint): Promise<bigint | undefined> {
  const step = (before * PRICE_STEP.numerator) / PRICE_STEP.denominator + 1n
  const asked = await deps.node.gasPrice()
  const price = asked > step ? asked : step
  return price > deps.maxGasPrice ? undefined : price
}

async function alarmStuck(deps: BscDeps, attempt: Attempt): Promise<void> {
  await raiseAlarm(deps.db, {
    kind: STUCK_ALARM,
    subject: `payout:${attempt.intent.id}`,
    message: `Transaction ${attempt.hash} is not mined, and the next price would be above the highest allowed.`,
    at: deps.clock.now(),
  })
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
  const saved = await inTransaction(deps.db, async (tx) => {
    const { state } = await lockIntent(tx, intent)
    // Held by an admin, or ended by another process meanwhile.
    if (state !== 'signed') return undefined
    const attempt = await nextAttemptNumber(tx, intent)
    deps.crashPoint('before-sign')
    const signed = await deps.signer.sign({ ...call, nonce, gas, gasPrice })
    deps.crashPoint('after-sign-before-save')
    const at = realClock.now()
    const rest = { nonce, gasPrice, expiresAt: null, intent, attempt, at }
    return insertAttempt(tx, { ...signed, ...rest, chain: 'BSC', sender: deps.wallet })
  })
  if (saved !== undefined) deps.crashPoint('after-save')
  return saved
}
