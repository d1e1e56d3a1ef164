import type { FinalStatus } from '@dct/chain-clients/senders/index'
import { tokenAbi } from '@dct/contract-abi'
import { parseEventLogs, type RpcLog } from 'viem'
import { raiseAlarm } from '../../platform/alarms.ts'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/db.ts'
import { invariant } from '../../platform/errors.ts'
import type { Loop } from '../../platform/loop.ts'
import { buryAttempt } from './attempt-fate.ts'
import { type BscDeps, type BscSenderDeps, transferCall } from './bsc-deps.ts'
import { bookForgotten, transferReadiness } from './bsc-readiness.ts'
import { replaceStuck } from './bsc-replacement.ts'
import { getPayout, type Payout } from './create-payout.ts'
import { duePayouts, signOnce } from './due-payouts.ts'
import { finishPayout } from './finish-payout.ts'
import { type Attempt, liveAttempts } from './intents.queries.ts'
import { buryNonce, holdSender, takeNonce } from './nonces.queries.ts'
import { mayTakeNonces, SENDER_ALARM } from './reconcile-nonces.ts'
import { createPace, type Pace, waitFor } from './sender-deps.ts'

const CHAIN = 'BSC'
const MAX_IN_FLIGHT = 64
const OBSERVED_AT_ONCE = 200

/**
 * Pays USDT from the payout wallet, exactly once each: a nonce belongs to its payout until a final
 * transaction that did not pay holds it; bytes, and every replacement with a higher price, are
 * stored before they are sent. Several may run at the same time.
 */
export function createBscSender(given: BscSenderDeps): Loop {
  const deps: BscDeps = { ...given, wallet: given.signer.address }
  const pace = createPace()
  return {
    name: 'bsc-sender',
    async step() {
      const hasObserved = await observe(deps, pace)
      const hasLaunched = !deps.isManual && (await launch(deps, pace))
      return !hasObserved && !hasLaunched
    },
  }
}

/** Looks up every nonce whose fate is open. True when one was decided. */
async function observe(deps: BscDeps, pace: Pace): Promise<boolean> {
  const live = await liveAttempts(deps.db, {
    chain: CHAIN,
    sender: deps.wallet,
    limit: OBSERVED_AT_ONCE,
  })
  let hasDecided = false
  for (const variants of Map.groupBy(live, ({ nonce }) => nonce).values()) {
    const [first] = variants
    if (!first || !pace.isDue('look', first.hash, deps.timing.pollMs)) continue
    if (!(await decide(deps, pace, variants))) continue
    for (const { hash } of variants) pace.forget(hash)
    hasDecided = true
  }
  return hasDecided
}

/** All variants of one nonce: at most one of them can be mined. */
async function decide(deps: BscDeps, pace: Pace, variants: readonly Attempt[]): Promise<boolean> {
  const [first] = variants
  invariant(first !== undefined && first.nonce !== null, 'a BSC attempt has a nonce')
  // Read before the look-ups: a nonce that is finally used by then must be found by them.
  const isUsed = (await deps.node.nonceOf(deps.wallet, 'final')) > first.nonce
  let isMined = false
  for (const attempt of variants) {
    const status = await deps.node.status(attempt.hash)
    if (status.kind !== 'unknown') deps.crashPoint('after-mined')
    if (status.kind === 'final') {
      await settle(deps, attempt, status)
      return true
    }
    isMined ||= status.kind === 'mined'
  }
  if (isUsed && !isMined && pace.isOlder(first.hash, deps.timing.suspectMs)) {
    await holdForNonce(deps, first)
  }
  if (!isUsed) pace.trust(first.hash)
  if (isUsed || isMined) return false
  for (const attempt of variants) {
    if (pace.isDue('send', attempt.hash, deps.timing.rebroadcastMs)) {
      await deps.node.broadcast(attempt.raw)
    }
  }
  return replaceStuck(deps, variants)
}

/** A final transaction holds the nonce, and it is none that we signed. Its payout is not guessed about. */
async function holdForNonce(deps: BscDeps, attempt: Attempt): Promise<void> {
  const at = deps.clock.now()
  const reason = `Nonce ${attempt.nonce} of payout ${attempt.intent.id} is used by a transaction that is not ours.`
  if (!(await holdSender(deps.db, deps.wallet, { reason, at }))) return
  await raiseAlarm(deps.db, { kind: SENDER_ALARM, subject: CHAIN, message: reason, at })
}

async function settle(deps: BscDeps, attempt: Attempt, status: FinalStatus): Promise<void> {
  const { hash: txHash, intent, nonce } = attempt
  const { blockNumber, blockTime, failure } = status
  const bury = { kind: 'reverted', failure: failure ?? '', blockNumber, txHash } as const
  const payout = await getPayout(deps.db, intent.id)
  if (failure !== null || !hasPaid(deps, status, payout)) {
    const death = failure === null ? ({ ...bury, kind: 'no-event' } as const) : bury
    await buryAttempt(deps, attempt, death, (tx, proof) =>
      buryNonce(tx, deps.wallet, { nonce: nonce ?? 0, proof }),
    )
    return
  }
  deps.crashPoint('before-final-booking')
  const at = deps.clock.now()
  await inTransaction(deps.db, (tx) =>
    finishPayout(tx, deps.onFinal, {
      payoutId: payout.id,
      evidence: { txHash, blockNumber, blockTime },
      at,
    }),
  )
  deps.crashPoint('after-final-booking')
}

/** Whether the pinned token's own event says that exactly this was paid. */
function hasPaid(deps: BscDeps, status: FinalStatus, payout: Payout): boolean {
  const logs = status.logs.filter((log) => log.address === deps.usdt)
  const events = parseEventLogs({
    abi: tokenAbi,
    eventName: 'Transfer',
    logs: logs as unknown as RpcLog[],
  })
  return events.some(
    ({ args }) =>
      args.from.toLowerCase() === deps.wallet &&
      args.to.toLowerCase() === payout.to &&
      args.value === payout.amount,
  )
}

/** Signs and sends what is due, as far as the limits allow. True when something was signed. */
async function launch(deps: BscDeps, pace: Pace): Promise<boolean> {
  const live = await liveAttempts(deps.db, {
    chain: CHAIN,
    sender: deps.wallet,
    limit: OBSERVED_AT_ONCE,
  })
  const onTheWay = new Set(live.map(({ nonce }) => nonce)).size
  const room = MAX_IN_FLIGHT - onTheWay
  const now = realClock.now()
  const due = room <= 0 ? [] : await duePayouts(deps.db, { chain: CHAIN, now, limit: room })
  if (due.length === 0) return false
  if (!(await mayTakeNonces(deps))) {
    for (const { id } of due) {
      const intent = { table: 'payout', id } as const
      await waitFor(deps, intent, { chain: CHAIN, reason: 'SENDER_HELD', detail: '' })
    }
    return false
  }
  const gasPrice = await deps.node.gasPrice()
  let hasSigned = false
  for (const payout of due) {
    hasSigned = (await tryOne(deps, pace, payout, gasPrice)) || hasSigned
  }
  return hasSigned
}

async function tryOne(
  deps: BscDeps,
  pace: Pace,
  payout: Payout,
  gasPrice: bigint,
): Promise<boolean> {
  const intent = { table: 'payout', id: payout.id } as const
  if (await bookForgotten(deps, payout)) return true
  const ready = await transferReadiness(deps, payout, gasPrice)
  if (ready.kind === 'wait') {
    await waitFor(deps, intent, { chain: CHAIN, ...ready })
    return false
  }
  const call = transferCall(deps, payout)
  const target = { intent, chain: CHAIN, sender: deps.wallet } as const
  const attempt = await signOnce(deps, target, async (_number, tx) => {
    const nonce = await takeNonce(tx, deps.wallet, payout.id)
    const signed = await deps.signer.sign({ ...call, nonce, gas: ready.gas, gasPrice })
    return { ...signed, nonce, gasPrice, expiresAt: null }
  })
  if (attempt === undefined) return false
  pace.isDue('send', attempt.hash, 0)
  const answer = await deps.node.broadcast(attempt.raw)
  deps.log.info({ hash: attempt.hash, ...answer }, 'payoutBroadcast')
  deps.crashPoint('after-broadcast')
  return true
}
