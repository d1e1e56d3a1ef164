import { greater } from '@dct/chain-clients/bigints'
import { parseTransaction } from 'viem'
import { raiseAlarm } from '../../../platform/alarms/alarms.ts'
import { msSince, realClock } from '../../../platform/clock.ts'
import { invariant } from '../../../platform/errors.ts'
import { hexOf } from '../../chain/index.ts'
import { type Attempt, lockIntent, nextAttemptNumber } from '../intents.queries.ts'
import { STUCK_ALARM, stuckSubject } from '../payout-alarms.ts'
import { isSignerFailure, signOutside } from '../sign-outside.ts'
import type { BscDeps } from './bsc-deps.ts'
import type { VaultCall } from './vault-call.ts'

/** Nodes accept a replacement only at a price at least 10 % higher; 12.5 % is safely above that. */
const PRICE_STEP = { numerator: 9n, denominator: 8n }

/**
 * Signs the same call again, at the same nonce and a higher price, when it was not mined in time. The bytes are
 * stored before they are sent; at most one of the variants can be mined.
 */
export async function replaceStuck(deps: BscDeps, stuck: Attempt): Promise<void> {
  if (msSince(stuck.signedAt, realClock.now()) < deps.timing.replaceAfterMs) return
  const gasPrice = await higherPrice(deps, stuck.gasPrice ?? 0n)
  if (gasPrice === undefined) {
    return alarmStuck(deps, stuck, 'a replacement would exceed the maximum gas price.')
  }
  const replacement = await signReplacementOrAlarm(deps, stuck, gasPrice)
  if (replacement === undefined) return
  const answer = await deps.node.broadcast(replacement.raw)
  deps.log.info({ hash: replacement.hash, nonce: replacement.nonce, ...answer }, 'payoutReplaced')
  deps.crashPoint('after-replacement')
}

async function higherPrice(deps: BscDeps, before: bigint): Promise<bigint | undefined> {
  const price = greater(await deps.node.gasPrice(), stepAbove(before))
  return price > deps.maxGasPrice ? undefined : price
}

/** The lowest price for which nodes replace a transaction of the same nonce that pays this one. */
export function stepAbove(price: bigint): bigint {
  return (price * PRICE_STEP.numerator) / PRICE_STEP.denominator + 1n
}

async function alarmStuck(deps: BscDeps, attempt: Attempt, why: string): Promise<void> {
  await raiseAlarm(deps.db, {
    kind: STUCK_ALARM,
    subject: stuckSubject(attempt.intent),
    message: `Transaction ${attempt.hash} is not mined, and ${why}`,
    at: deps.clock.now(),
  })
}

async function signReplacementOrAlarm(
  deps: BscDeps,
  stuck: Attempt,
  gasPrice: bigint,
): Promise<Attempt | undefined> {
  try {
    return await signReplacement(deps, stuck, gasPrice)
  } catch (error) {
    if (!isSignerFailure(error)) throw error
    await alarmStuck(deps, stuck, `a replacement could not be signed. ${error.message}`)
    return undefined
  }
}

async function signReplacement(
  deps: BscDeps,
  { intent, nonce, states, sender, raw }: Attempt,
  gasPrice: bigint,
): Promise<Attempt | undefined> {
  invariant(nonce !== null, 'an attempt on BSC has a nonce')
  const call = callOf(raw)
  const target = { intent, chain: 'BSC', sender, states } as const
  return signOutside(deps, target, {
    async findPlace(tx) {
      const { state } = await lockIntent(tx, intent)
      if (state !== 'sent') return undefined
      // If the payout has been signed again for another nonce, the next attempt number differs.
      return { attempt: await nextAttemptNumber(tx, intent), nonce }
    },
    async sign() {
      const signed = await deps.signer.sign({ ...call, nonce, gasPrice })
      return { ...signed, gasPrice, expiresAt: null }
    },
    takePlace: async () => undefined,
  })
}

/**
 * The call of signed bytes, with its gas. Not tried again: a node that tries calls on top of its pending transactions
 * would refuse the same payment as made already.
 */
function callOf(raw: Uint8Array): VaultCall {
  const { to, data, gas } = parseTransaction(hexOf(raw))
  invariant(to != null && data !== undefined && gas !== undefined, 'an attempt is a call with gas')
  return { to, data, gas }
}
