import type {
  FinalStatus,
  SignedTronCall,
  TronAnchor,
  TronPrices,
  TronResources,
  TronSigner,
} from '@dct/chain-clients/senders/index'
import { rewardPoolAbi } from '@dct/contract-abi'
import { type Hex, parseEventLogs, type RpcLog } from 'viem'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/db.ts'
import type { Loop } from '../../platform/loop.ts'
import { buryAttempt } from './attempt-fate.ts'
import { getPayout, type Payout } from './create-payout.ts'
import { duePayouts, finishRecorded, signOnce } from './due-payouts.ts'
import { finishPayout } from './finish-payout.ts'
import {
  type Attempt,
  countLive,
  type IntentRef,
  killAttempts,
  liveAttempts,
  winAttempt,
} from './intents.queries.ts'
import { dueCalls, finishCall, type OnCallDone, type OperatorCall } from './operator-calls.ts'
import { createPace, type Pace, waitFor } from './sender-deps.ts'
import {
  callReadiness,
  payoutReadiness,
  type Readiness,
  type ReadyCall,
  type TronReadDeps,
} from './tron-readiness.ts'

export type TronSenderDeps = Omit<TronReadDeps, 'operator'> & {
  signer: TronSigner
  onCallDone: OnCallDone
}
type Deps = TronReadDeps & TronSenderDeps

const CHAIN = 'TRON'
/** How long a signed transaction can be included. It is broadcast again and again until then. */
const LIFE_MS = 10 * 60_000
/** How far past its expiry the final chain must be before a transaction counts as dead. */
const DEATH_MARGIN_MS = 60_000
const MAX_IN_FLIGHT = 64
const OBSERVED_AT_ONCE = 100
/** Blocks take a minute to become final here, and public nodes count requests. */
const LOOKS_ARE_RARER = 6
/** What the operator must be able to pay for, as a multiple of the trial run's energy. */
const ENERGY_AT_HAND = 2n
/**
 * The most that a call may use: a ceiling, not a price. A trial run tells what is left after refunds,
 * and popular contracts cost more from hour to hour; a call that hits the ceiling burns all of it.
 */
const ENERGY_CEILING = { factor: 3n, base: 50_000n }
/** The largest call is below 500 bytes; bandwidth counts bytes. */
const BANDWIDTH_OF_A_CALL = 700n

/**
 * Pays rewards and makes the operator's other calls on Tron, exactly once each: bytes are stored
 * before they are sent, only stored bytes are sent, and a new transaction is signed only with a
 * stored proof that the old one can never be included. Several may run at the same time.
 */
export function createTronSender(given: TronSenderDeps): Loop {
  const deps: Deps = { ...given, operator: given.signer.address }
  const pace = createPace()
  return {
    name: 'tron-sender',
    async step() {
      const hasObserved = await observe(deps, pace)
      const hasLaunched = await launch(deps, pace)
      return !hasObserved && !hasLaunched
    },
  }
}

/** Looks up every transaction whose fate is open. True when one was decided. */
async function observe(deps: Deps, pace: Pace): Promise<boolean> {
  const sender = deps.signer.address
  const live = await liveAttempts(deps.db, { chain: CHAIN, sender, limit: OBSERVED_AT_ONCE })
  const due = live.filter(({ hash }) =>
    pace.isDue('look', hash, deps.timing.pollMs * LOOKS_ARE_RARER),
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
  const status = await deps.node.status(attempt.hash)
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
      : await deps.node.proveDeath({ hash, expiresAt, marginMs: DEATH_MARGIN_MS })
  if (proof !== undefined) {
    await buryAttempt(deps, attempt, { kind: 'expired', proof })
    return true
  }
  if (pace.isDue('send', hash, deps.timing.rebroadcastMs)) await deps.node.broadcast(attempt.raw)
  return false
}

async function settle(deps: Deps, attempt: Attempt, status: FinalStatus): Promise<void> {
  const { hash: txHash, intent } = attempt
  const { blockNumber, blockTime, failure } = status
  if (failure !== null) {
    return buryAttempt(deps, attempt, { kind: 'reverted', failure, blockNumber, txHash })
  }
  if (intent.table === 'operator_call') return settleCall(deps, attempt, status)
  const payout = await getPayout(deps.db, intent.id)
  if (!hasPaid(status, deps.contracts.rewardPool, payout)) {
    return buryAttempt(deps, attempt, { kind: 'no-event', blockNumber, txHash })
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

async function settleCall(deps: Deps, attempt: Attempt, status: FinalStatus): Promise<void> {
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

/** Whether the pool's own event says that exactly this payout was paid. */
function hasPaid(status: FinalStatus, rewardPool: Hex, payout: Payout): boolean {
  const logs = status.logs.filter((log) => log.address === rewardPool)
  const events = parseEventLogs({
    abi: rewardPoolAbi,
    eventName: 'RewardPaid',
    logs: logs as unknown as RpcLog[],
  })
  return events.some(
    ({ args }) =>
      args.payoutId === payout.payoutKey &&
      args.to.toLowerCase() === payout.to &&
      args.amount === payout.amount &&
      args.planCode === payout.planCode,
  )
}

type Budget = { resources: TronResources; prices: TronPrices; anchor: TronAnchor }

/** Signs and sends what is due, as far as the limits allow. True when something was signed or ended. */
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
    if (result !== 'waits') hasDone = true
  }
  return hasDone
}

type Item = {
  intent: IntentRef
  readiness(deps: Deps): Promise<Readiness>
  /** Ends what the chain shows as done. False when that has to wait for the watcher. */
  finish(deps: Deps): Promise<boolean>
}

function payoutItem(payout: Payout): Item {
  return {
    intent: { table: 'payout', id: payout.id },
    readiness: (deps) => payoutReadiness(deps, payout),
    finish: (deps) => finishRecorded(deps, payout),
  }
}

function callItem(call: OperatorCall): Item {
  const intent = { table: 'operator_call', id: call.id } as const
  return {
    intent,
    readiness: (deps) => callReadiness(deps, call),
    async finish(deps) {
      const at = deps.clock.now()
      await finishCall(deps.db, deps.onCallDone, {
        id: call.id,
        facts: { txHash: null, blockNumber: null, at },
        async end(tx) {
          await killAttempts(tx, intent, { proof: { kind: 'done by another' }, at })
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
): Promise<'signed' | 'done' | 'waits'> {
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
  const lack = lackOf(ready.call, launching)
  if (lack !== undefined) {
    await waitFor(deps, item.intent, { chain: CHAIN, reason: 'NO_TRX', detail: lack })
    return 'waits'
  }
  return (await signAndSend(deps, pace, item.intent, ready.call, launching.budget))
    ? 'signed'
    : 'waits'
}

/** What the operator lacks for this call and for as many like it as are on their way. */
function lackOf(call: ReadyCall, { budget, inFlight }: Launch): string | undefined {
  const { resources, prices } = budget
  const count = BigInt(inFlight + 1)
  const missingEnergy = notNegative(call.energy * ENERGY_AT_HAND * count - resources.energy)
  const missingBandwidth =
    resources.bandwidth >= BANDWIDTH_OF_A_CALL * count ? 0n : BANDWIDTH_OF_A_CALL
  const sun = missingEnergy * prices.energySun + missingBandwidth * count * prices.bandwidthSun
  return sun > resources.sun ? `It takes ${sun} sun; there are ${resources.sun}.` : undefined
}

function notNegative(value: bigint): bigint {
  return value < 0n ? 0n : value
}

async function signAndSend(
  deps: Deps,
  pace: Pace,
  intent: IntentRef,
  call: ReadyCall,
  { prices, anchor }: Budget,
): Promise<boolean> {
  const ceiling = call.energy * ENERGY_CEILING.factor + ENERGY_CEILING.base
  const feeLimitSun = ceiling * prices.energySun
  const target = { intent, chain: CHAIN, sender: deps.signer.address } as const
  const attempt = await signOnce(deps, target, async (number) => {
    const { contract, data } = call
    const options = { lifeMs: LIFE_MS, salt: number }
    return toAttempt(deps.signer.sign({ contract, data, feeLimitSun }, anchor, options))
  })
  if (attempt === undefined) return false
  pace.isDue('send', attempt.hash, 0)
  const answer = await deps.node.broadcast(attempt.raw)
  deps.log.info({ hash: attempt.hash, ...answer }, 'payoutBroadcast')
  deps.crashPoint('after-broadcast')
  return true
}

function toAttempt({ hash, raw, expiresAt }: SignedTronCall) {
  return { hash, raw, expiresAt, nonce: null, gasPrice: null }
}
