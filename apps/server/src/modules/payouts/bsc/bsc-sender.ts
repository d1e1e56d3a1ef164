import type { FinalReceipt } from '@dct/chain-clients'
import { restrictEvmSigner } from '@dct/chain-clients/senders/index'
import { raiseAlarm } from '../../../platform/alarms/alarms.ts'
import { realClock } from '../../../platform/clock.ts'
import { invariant } from '../../../platform/errors.ts'
import type { Loop } from '../../../platform/loops/loop.ts'
import { expireAttempt, pauseAfterRevert } from '../attempt-fate.ts'
import { getPayout, type Payout } from '../create-payout.ts'
import { requireWithinDay } from '../day-limit.ts'
import { duePayouts } from '../due-payouts.ts'
import { waitWhileHalted } from '../halted-chain.ts'
import { type Attempt, liveAttempts } from '../intents.queries.ts'
import { readTransfers } from '../payment-logs.ts'
import { isRestoreOpen } from '../restored-backup.ts'
import { bookFinal, createPace, type Pace, waitFor } from '../sender-deps.ts'
import { signOnce } from '../sign-outside.ts'
import { type BscDeps, type BscSenderDeps, callsOfWallet, transferCall } from './bsc-deps.ts'
import { bookForgotten, transferReadiness } from './bsc-readiness.ts'
import { raiseStrandedAlarm, replaceStuck } from './bsc-replacement.ts'
import { bookForgottenVariant, fateOfNonce, giveUpNonce, type NoncePlace } from './nonce-fate.ts'
import { expireNonce, holdSender, lockNextNonce, takeNonce } from './nonces.queries.ts'
import { reasonAgainstSigning, SENDER_ALARM } from './reconcile-nonces.ts'

const CHAIN = 'BSC'
const MAX_IN_FLIGHT = 64

/**
 * Pays USDT from the payout wallet, each payout exactly once. A nonce stays with its payout until another final
 * transaction is proven to have used it without paying. The signed bytes, and those of every replacement at a higher
 * price, are stored before they are sent. Several senders may run at the same time.
 */
export function createBscSender(given: BscSenderDeps): Loop {
  const signer = restrictEvmSigner(given.signer, callsOfWallet(given))
  const deps: BscDeps = { ...given, signer, wallet: signer.address }
  const pace = createPace()
  return {
    name: 'bsc-sender',
    async step() {
      if (await waitWhileHalted(deps, CHAIN)) return true
      const hasObserved = await observe(deps, pace)
      const hasLaunched = !deps.isManual && (await launch(deps, pace))
      return !hasObserved && !hasLaunched
    },
  }
}

/** Checks every undecided nonce, including those of former wallets. True when one was decided. */
async function observe(deps: BscDeps, pace: Pace): Promise<boolean> {
  const live = await liveAttempts(deps.db, { chain: CHAIN })
  let hasDecided = false
  for (const variants of Map.groupBy(live, placeOf).values()) {
    const [first] = variants
    if (!first || !pace.isDue('poll', first.hash, deps.timing.pollMs)) continue
    if (!(await decide(deps, pace, variants))) continue
    for (const { hash } of variants) pace.forget(hash)
    hasDecided = true
  }
  return hasDecided
}

/** Identifies the wallet and nonce that a transaction was signed for. */
function placeOf({ sender, nonce }: Attempt): string {
  return `${sender}:${nonce}`
}

/** Decides all variants of one nonce; at most one of them can be mined. */
async function decide(deps: BscDeps, pace: Pace, variants: readonly Attempt[]): Promise<boolean> {
  const [first] = variants
  invariant(first !== undefined && first.nonce !== null, 'a BSC attempt has a nonce')
  // Read before the status look-ups: if a final transaction has used the nonce by now, they must find that transaction.
  const { sender, nonce } = first
  const isUsed = (await deps.node.nonceOf(sender, 'final')) > nonce
  let isMined = false
  for (const attempt of variants) {
    const status = await deps.node.receipt(attempt.hash)
    if (status.kind !== 'unknown') deps.crashPoint('after-mined')
    if (status.kind === 'final') {
      await settle(deps, attempt, status)
      return true
    }
    isMined ||= status.kind === 'mined'
  }
  if (isUsed && !isMined && pace.isOlder(first.hash, deps.timing.suspectMs)) {
    return endForeign(deps, { sender, nonce })
  }
  if (!isUsed) pace.trust(first.hash)
  if (isUsed || isMined) return false
  for (const attempt of variants) {
    if (pace.isDue('send', attempt.hash, deps.timing.rebroadcastMs)) {
      await deps.node.broadcast(attempt.raw)
    }
  }
  return sender === deps.wallet ? replaceStuck(deps, variants) : raiseStrandedAlarm(deps, first)
}

/**
 * Handles a nonce that was used by a final transaction other than the variants stored here. If that was a variant
 * missing from this database and it paid, it is booked. Otherwise the current wallet is held for an admin, as its key
 * may be compromised; a payout signed by a former wallet is retried with the current key once none of its transactions
 * can take effect. True when the payout was decided.
 */
async function endForeign(deps: BscDeps, place: NoncePlace): Promise<boolean> {
  const fate = await fateOfNonce(deps, place)
  if (fate.kind === 'forgotten') return bookForgottenVariant(deps, fate)
  if (fate.kind === 'ours' || fate.kind === 'decided') return false
  if (place.sender === deps.wallet) {
    await holdForNonce(deps, place)
    return false
  }
  if (fate.kind !== 'lost') return false
  await giveUpNonce(deps, fate)
  return true
}

async function holdForNonce(deps: BscDeps, { sender, nonce }: NoncePlace): Promise<void> {
  const at = deps.clock.now()
  const reason = `Nonce ${nonce} of the payout wallet is used by a transaction that is not ours.`
  if (!(await holdSender(deps.db, sender, { reason, at }))) return
  await raiseAlarm(deps.db, { kind: SENDER_ALARM, subject: CHAIN, message: reason, at })
}

async function settle(deps: BscDeps, attempt: Attempt, status: FinalReceipt): Promise<void> {
  const { hash: txHash, intent, nonce } = attempt
  const { blockNumber, blockTime, failure } = status
  const payout = await getPayout(deps.db, intent.id)
  if (failure !== null || !hasPaid(deps, { attempt, status, payout })) {
    const reverted = { kind: 'reverted', failure: failure ?? '', blockNumber, txHash } as const
    const end = failure === null ? ({ ...reverted, kind: 'no-event' } as const) : reverted
    await expireAttempt(deps, attempt, end, (tx, proof) =>
      expireNonce(tx, attempt.sender, { nonce: nonce ?? 0, proof }),
    )
    if (failure !== null) await pauseAfterRevert(deps, attempt, failure)
    return
  }
  await bookFinal(deps, payout.id, { txHash, blockNumber, blockTime })
}

/** Whether an event of the pinned token shows that exactly this was paid. */
function hasPaid(
  deps: BscDeps,
  { attempt, status, payout }: { attempt: Attempt; status: FinalReceipt; payout: Payout },
): boolean {
  return readTransfers(status.logs).some(
    ({ token, from, to, value }) =>
      token === deps.usdt && from === attempt.sender && to === payout.to && value === payout.amount,
  )
}

/** Signs and sends due payouts, within the limits. True when something was signed or booked. */
async function launch(deps: BscDeps, pace: Pace): Promise<boolean> {
  const live = await liveAttempts(deps.db, { chain: CHAIN, sender: deps.wallet })
  const onTheWay = new Set(live.map(({ nonce }) => nonce)).size
  const room = MAX_IN_FLIGHT - onTheWay
  const now = realClock.now()
  const due = room <= 0 ? [] : await duePayouts(deps.db, { chain: CHAIN, now, limit: room })
  if (due.length === 0) return false
  if (await bookForgotten(deps, due)) return true
  const reason = await reasonAgainstSigning(deps)
  if (reason !== undefined) {
    for (const { id } of due) {
      await waitFor(deps, { table: 'payout', id }, { chain: CHAIN, reason, detail: '' })
    }
    return false
  }
  const gasPrice = await deps.node.gasPrice()
  let hasSigned = false
  for (const payout of due) {
    const result = await tryOne(deps, pace, payout, gasPrice)
    hasSigned ||= result === 'done'
    // The others would wait for the same signer.
    if (result === 'noSignature') break
  }
  return hasSigned
}

type Result = 'done' | 'waits' | 'noSignature'

async function tryOne(
  deps: BscDeps,
  pace: Pace,
  payout: Payout,
  gasPrice: bigint,
): Promise<Result> {
  const intent = { table: 'payout', id: payout.id } as const
  if (await isRestoreOpen(deps.db)) {
    await waitFor(deps, intent, { chain: CHAIN, reason: 'RESTORED', detail: '' })
    return 'waits'
  }
  const ready = await transferReadiness(deps, payout, gasPrice)
  if (ready.kind === 'wait') {
    await waitFor(deps, intent, { chain: CHAIN, ...ready })
    return 'waits'
  }
  return signAndSend(deps, pace, payout, { gas: ready.gas, gasPrice })
}

async function signAndSend(
  deps: BscDeps,
  pace: Pace,
  payout: Payout,
  price: { gas: bigint; gasPrice: bigint },
): Promise<Result> {
  const { wallet, signer, mostPerDay } = deps
  const intent = { table: 'payout', id: payout.id } as const
  const call = transferCall(deps, payout)
  const target = { intent, chain: CHAIN, sender: wallet, states: null } as const
  const outcome = await signOnce<number>(deps, target, {
    async lockNonce(tx) {
      const nonce = await lockNextNonce(tx, wallet)
      if (nonce === undefined) return undefined
      await requireWithinDay(tx, { chain: CHAIN, amount: payout.amount, mostPerDay })
      return nonce
    },
    takeNonce: (tx, nonce) => takeNonce(tx, wallet, { nonce, payoutId: payout.id }),
    async sign({ nonce }) {
      const signed = await signer.sign({ ...call, ...price, nonce })
      return { ...signed, gasPrice: price.gasPrice, expiresAt: null }
    },
  })
  if (outcome.kind !== 'stored') return outcome.kind === 'notNow' ? 'waits' : 'noSignature'
  const { attempt } = outcome
  pace.record('send', attempt.hash)
  const answer = await deps.node.broadcast(attempt.raw)
  deps.log.info({ hash: attempt.hash, ...answer }, 'payoutBroadcast')
  deps.crashPoint('after-broadcast')
  return 'done'
}
