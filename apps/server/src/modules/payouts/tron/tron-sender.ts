import type { FinalReceipt, TronPrices, TronResources } from '@dct/chain-clients'
import {
  restrictTronSigner,
  type TronAnchor,
  type TronSigner,
} from '@dct/chain-clients/senders/index'
import type { Hex } from 'viem'
import { realClock } from '../../../platform/clock.ts'
import type { Loop } from '../../../platform/loops/loop.ts'
import { expireAttempt } from '../attempt-fate.ts'
import { getPayout, type Payout } from '../create-payout.ts'
import { lockSender, requireWithinDay } from '../day-limit.ts'
import { duePayouts, finishRecorded } from '../due-payouts.ts'
import { waitWhileHalted } from '../halted-chain.ts'
import {
  type Attempt,
  countLive,
  endAttempts,
  type IntentRef,
  liveAttempts,
  winAttempt,
} from '../intents.queries.ts'
import { readRewards } from '../payment-logs.ts'
import { isRestoreOpen } from '../restored-backup.ts'
import { bookFinal, createPace, type Pace, waitFor } from '../sender-deps.ts'
import { signOnce } from '../sign-outside.ts'
import { lackOf } from './lack-of.ts'
import { dueCalls, finishCall, type OnCallDone, type OperatorCall } from './operator-calls.ts'
import {
  callReadiness,
  callsOfOperator,
  payoutReadiness,
  type Readiness,
  type ReadyCall,
  type TronReadDeps,
} from './tron-readiness.ts'

export type TronSenderDeps = Omit<TronReadDeps, 'operator'> & {
  signer: TronSigner
  /** The most that is paid on one business day, in base units. */
  mostPerDay: bigint
  onCallDone: OnCallDone
}
type Deps = TronReadDeps & TronSenderDeps

const CHAIN = 'TRON'
/** How long a signed transaction can be included. Until then it is broadcast repeatedly. */
const LIFE_MS = 10 * 60_000
/** How far past its expiry the final chain must be before a transaction counts as expired. */
const EXPIRY_MARGIN_MS = 60_000
const MAX_IN_FLIGHT = 64
/** Polls less often than on BSC: Tron blocks take about a minute to become final, and public nodes limit requests. */
const POLL_INTERVAL_FACTOR = 6
/**
 * The most energy that a call may use: a ceiling, not a price. A simulation reports the energy after refunds, and the
 * cost of popular contracts changes from hour to hour; a call that hits the ceiling burns all of it.
 */
const ENERGY_CEILING = { factor: 3n, base: 50_000n }
/** Real time. A launch's transactions expire relative to the block at its start, so a slow signer cuts it short. */
const LAUNCH_MS = 60_000

/**
 * Pays rewards and makes the operator's other calls on Tron, each exactly once: bytes are stored before they are sent,
 * only stored bytes are sent, and a new transaction is signed only with a stored proof that the old one can never be
 * included. Several senders may run at the same time.
 */
export function createTronSender(given: TronSenderDeps): Loop {
  const signer = restrictTronSigner(given.signer, callsOfOperator(given.contracts))
  const deps: Deps = { ...given, signer, operator: signer.address }
  const pace = createPace()
  return {
    name: 'tron-sender',
    async step() {
      if (await waitWhileHalted(deps, CHAIN)) return true
      const hasObserved = await observe(deps, pace)
      const hasLaunched = await launch(deps, pace)
      return !hasObserved && !hasLaunched
    },
  }
}

/** Checks every undecided transaction, including those of former operators. True when one was decided. */
async function observe(deps: Deps, pace: Pace): Promise<boolean> {
  const live = await liveAttempts(deps.db, { chain: CHAIN })
  const due = live.filter(({ hash }) =>
    pace.isDue('poll', hash, deps.timing.pollMs * POLL_INTERVAL_FACTOR),
  )
  let hasDecided = false
  for (const attempt of due) {
    if (!(await decide(deps, pace, attempt))) continue
    pace.forget(attempt.hash)
    hasDecided = true
  }
  return hasDecided
}

async function decide(deps: Deps, pace: Pace, attempt: Attempt): Promise<boolean> {
  const status = await deps.node.receipt(attempt.hash)
  if (status.kind !== 'unknown') deps.crashPoint('after-mined')
  if (status.kind === 'final') {
    await settle(deps, attempt, status)
    return true
  }
  if (status.kind === 'mined') return false
  const { hash, expiresAt } = attempt
  const proof =
    expiresAt === null
      ? undefined
      : await deps.node.proveExpiry({ hash, expiresAt, marginMs: EXPIRY_MARGIN_MS })
  if (proof !== undefined) {
    await expireAttempt(deps, attempt, { kind: 'expired', proof })
    return true
  }
  if (pace.isDue('send', hash, deps.timing.rebroadcastMs)) await deps.node.broadcast(attempt.raw)
  return false
}

async function settle(deps: Deps, attempt: Attempt, status: FinalReceipt): Promise<void> {
  const { hash: txHash, intent } = attempt
  const { blockNumber, blockTime, failure } = status
  if (failure !== null) {
    return expireAttempt(deps, attempt, { kind: 'reverted', failure, blockNumber, txHash })
  }
  if (intent.table === 'operator_call') return settleCall(deps, attempt, status)
  const payout = await getPayout(deps.db, intent.id)
  if (!hasPaid(status, deps.contracts.rewardPool, payout)) {
    return expireAttempt(deps, attempt, { kind: 'no-event', blockNumber, txHash })
  }
  await bookFinal(deps, payout.id, { txHash, blockNumber, blockTime })
}

async function settleCall(deps: Deps, attempt: Attempt, status: FinalReceipt): Promise<void> {
  const { hash: txHash, intent } = attempt
  const at = deps.clock.now()
  deps.crashPoint('before-final-booking')
  await finishCall(deps.db, deps.onCallDone, {
    id: intent.id,
    facts: { txHash, blockNumber: status.blockNumber, at: status.blockTime },
    async end(tx) {
      await winAttempt(tx, intent, { hash: txHash, at })
    },
  })
  deps.crashPoint('after-final-booking')
}

/** Whether an event of the pool shows that exactly this payout was paid. */
function hasPaid(status: FinalReceipt, rewardPool: Hex, payout: Payout): boolean {
  return readRewards(status.logs, rewardPool).some(
    ({ payoutKey, planCode, to, amount }) =>
      payoutKey === payout.payoutKey &&
      to === payout.to &&
      amount === payout.amount &&
      planCode === payout.planCode,
  )
}

type Budget = { resources: TronResources; prices: TronPrices; anchor: TronAnchor }

/** Signs and sends due calls and payouts, within the limits. True when something was signed or ended. */
async function launch(deps: Deps, pace: Pace): Promise<boolean> {
  const { db } = deps
  let inFlight = await countLive(db, CHAIN, deps.signer.address)
  const room = MAX_IN_FLIGHT - inFlight
  if (room <= 0) return false
  const now = realClock.now()
  const calls = await dueCalls(db, { now, limit: room })
  const payouts = await duePayouts(db, { chain: CHAIN, now, limit: room - calls.length })
  if (calls.length + payouts.length === 0) return false

  const [resources, prices, anchor] = await Promise.all([
    deps.node.resources(deps.signer.address),
    deps.node.prices(),
    deps.node.anchor(),
  ])
  let hasDone = false
  for (const item of [...calls.map(callItem), ...payouts.map(payoutItem)]) {
    const result = await tryOne(deps, pace, item, {
      budget: { resources, prices, anchor },
      inFlight,
    })
    if (result === 'signed') inFlight += 1
    if (result === 'signed' || result === 'done') hasDone = true
    // The others would wait for the same signer.
    if (result === 'noSignature') break
    if (realClock.now().getTime() - now.getTime() > LAUNCH_MS) break
  }
  return hasDone
}

type Item = {
  intent: IntentRef
  /** What it pays; null for a call that pays nothing. */
  amount: bigint | null
  readiness(deps: Deps): Promise<Readiness>
  /** Ends an intent that the chain shows as done. False when it has to wait for the watcher. */
  finish(deps: Deps): Promise<boolean>
}

function payoutItem(payout: Payout): Item {
  return {
    intent: { table: 'payout', id: payout.id },
    amount: payout.amount,
    readiness: (deps) => payoutReadiness(deps, payout),
    finish: (deps) => finishRecorded(deps, payout),
  }
}

function callItem(call: OperatorCall): Item {
  const intent = { table: 'operator_call', id: call.id } as const
  return {
    intent,
    amount: null,
    readiness: (deps) => callReadiness(deps, call),
    async finish(deps) {
      const at = deps.clock.now()
      await finishCall(deps.db, deps.onCallDone, {
        id: call.id,
        facts: { txHash: null, blockNumber: null, at },
        async end(tx) {
          await endAttempts(tx, intent, { proof: { kind: 'done by another' }, at })
        },
      })
      return true
    },
  }
}

type Launch = { budget: Budget; inFlight: number }

async function tryOne(
  deps: Deps,
  pace: Pace,
  item: Item,
  launching: Launch,
): Promise<'signed' | 'done' | 'waits' | 'noSignature'> {
  const ready = await item.readiness(deps)
  if (ready.kind === 'done') {
    if (await item.finish(deps)) return 'done'
    await waitFor(deps, item.intent, { chain: CHAIN, reason: 'PAID_ON_CHAIN', detail: '' })
    return 'waits'
  }
  if (ready.kind === 'wait') {
    await waitFor(deps, item.intent, { chain: CHAIN, ...ready })
    return 'waits'
  }
  if (await isRestoreOpen(deps.db)) {
    await waitFor(deps, item.intent, { chain: CHAIN, reason: 'RESTORED', detail: '' })
    return 'waits'
  }
  const { budget, inFlight } = launching
  const lack = lackOf(budget, { energy: ready.call.energy, count: inFlight + 1 })
  if (lack !== undefined) {
    await waitFor(deps, item.intent, { chain: CHAIN, reason: 'NO_TRX', detail: lack })
    return 'waits'
  }
  return signAndSend(deps, pace, { ...item, call: ready.call }, budget)
}

async function signAndSend(
  deps: Deps,
  pace: Pace,
  { intent, amount, call }: Pick<Item, 'intent' | 'amount'> & { call: ReadyCall },
  { prices, anchor }: Budget,
): Promise<'signed' | 'waits' | 'noSignature'> {
  const ceiling = call.energy * ENERGY_CEILING.factor + ENERGY_CEILING.base
  const feeLimitSun = ceiling * prices.energySun
  const target = { intent, chain: CHAIN, sender: deps.signer.address } as const
  const outcome = await signOnce<null>(deps, target, {
    // Tron has no nonces: it is enough that the number of the attempt is free.
    async lockNonce(tx) {
      if (amount === null) return null
      await lockSender(tx, { chain: CHAIN, sender: deps.operator })
      await requireWithinDay(tx, { chain: CHAIN, amount, mostPerDay: deps.mostPerDay })
      return null
    },
    takeNonce: async () => undefined,
    async sign({ attempt }) {
      const { contract, data } = call
      const options = { lifeMs: LIFE_MS, salt: attempt }
      const signed = await deps.signer.sign({ contract, data, feeLimitSun }, anchor, options)
      return { ...signed, gasPrice: null }
    },
  })
  if (outcome.kind !== 'stored') return outcome.kind === 'notNow' ? 'waits' : 'noSignature'
  const { attempt } = outcome
  pace.record('send', attempt.hash)
  const answer = await deps.node.broadcast(attempt.raw)
  deps.log.info({ hash: attempt.hash, ...answer }, 'payoutBroadcast')
  deps.crashPoint('after-broadcast')
  return 'signed'
}
