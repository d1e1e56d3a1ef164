import { hostname } from 'node:os'
import { createAuditLoop } from '../../modules/audit/audit.jobs.ts'
import { createCompletenessLoop, createWatcher } from '../../modules/chain/index.ts'
import { claimJobs } from '../../modules/claims/claims.jobs.ts'
import { createHintChecker } from '../../modules/claims/index.ts'
import {
  createAvailabilityLoop,
  createDistributor,
  createEarningMessages,
  createJoinChecker,
  createReleaseLoop,
  createSettleLoop,
} from '../../modules/earnings/index.ts'
import { createTransactionFeeLoop } from '../../modules/payouts/index.ts'
import { payoutJobs } from '../../modules/payouts/payouts.jobs.ts'
import { createReservationLoop } from '../../modules/plans/index.ts'
import { plansJobs } from '../../modules/plans/plans.jobs.ts'
import { currentPrice } from '../../modules/pricing/index.ts'
import { createDownlineLoop } from '../../modules/referrals/index.ts'
import { createOwedListLoop } from '../../modules/reports/index.ts'
import { createMoneyLoop } from '../../modules/treasury/index.ts'
import { realClock } from '../../platform/clock.ts'
import { createBackupLoop } from '../../platform/database/backups.ts'
import type { Tx } from '../../platform/database/db.ts'
import { createWorker } from '../../platform/database/jobs.ts'
import { Refusal } from '../../platform/errors.ts'
import {
  createLoopRunner,
  type IdlePauses,
  type Loop,
  type LoopRunner,
  type LoopState,
} from '../../platform/loops/loop.ts'
import { createLoopAlarms } from '../../platform/loops/loop-alarms.ts'
import { createReportLoop } from '../../platform/loops/loop-reports.ts'
import { withDatabaseAlarm } from '../../platform/outbox/database-alarm.ts'
import { chainTotals } from '../chains/chain-totals.ts'
import { knownNodes } from '../chains/chains.ts'
import { holdingReaders } from '../chains/holding-readers.ts'
import { createNodeAlarmLoop } from '../chains/node-alarms.ts'
import { createNodeInspection } from '../chains/node-inspection.ts'
import { watchedChains } from '../chains/streams.ts'
import type { Context } from '../context.ts'
import { holderLoops } from '../wiring/messages-wiring.ts'
import { channelsOf, outboxLoop } from '../wiring/outbox-wiring.ts'
import { requestRelease } from '../wiring/payout-wiring.ts'
import { deadManLoops } from './dead-man.ts'
import { pairLoops } from './price-pair.ts'
import { createReplicaLoop } from './replica-loop.ts'
import { createWorkerAlarms } from './worker-alarms.ts'

/** Real milliseconds between two steps of an idle loop, shorter in devnet, where somebody waits for the result. */
const PAUSES_MS = {
  live: {
    /** Sums over downlines are at most this old, plus the time that an update takes. */
    downlines: 30_000,
    /** Between two checks of whether reservations can still be filled. */
    reservations: 10_000,
    /** Between two readings of the available funds. */
    funds: 60_000,
    transactionFees: 60_000,
    /** Reminders may be late by this much. */
    earningMessages: 300_000,
  },
  devnet: {
    downlines: 2_000,
    reservations: 2_000,
    funds: 4_000,
    transactionFees: 2_000,
    earningMessages: 2_000,
  },
}
/**
 * The pause between two polls of a chain that has been read to its end: several blocks (3 s each on Tron, 0.45 s on
 * BSC), so that an idle day takes fewer than 60,000 requests per chain. A payment is seen at most this much later.
 */
const POLL_PAUSE_MS = { TRON: 15_000, BSC: 10_000 }
/** The pause between two comparisons of the totals that the chains keep with the booked events. */
const COMPLETENESS_PAUSE_MS = { devnet: 10_000, live: 5 * 60_000 }
const MAX_CLOCK_SKEW_MS = 10 * 60_000

/** A runner for the loops of a process, which also stores their state, so that every process can report it. */
export function runnerOf(
  context: Context,
  loops: readonly Loop[],
  pauses?: IdlePauses,
): LoopRunner {
  const { log, timeGuard } = context
  const all = [...loops, ...ownLoops(context, () => runner.status())]
  const runner = createLoopRunner(all, log, pauses, timeGuard.isTrusted)
  return runner
}

/** The loops in which a process watches its own work, its nodes, its database and its clock. */
export function ownLoops(context: Context, status: () => LoopState[]): Loop[] {
  const { db, log, timeGuard } = context
  const watching = { db, realClock, status, host: hostname() }
  return [
    createNodeInspection(context),
    withDatabaseAlarm(createReportLoop(watching), {
      ...{ ...watching, log, channels: channelsOf(context), monotonic: () => performance.now() },
    }),
    createLoopAlarms(watching),
    ...(timeGuard.loop === undefined ? [] : [timeGuard.loop]),
  ]
}

/**
 * Loops of processes that answer calls: they record that holders can claim, and track how far behind the replica is, if
 * there is one.
 */
export function apiLoops(context: Context): Loop[] {
  const { db, clock, replica } = context
  return [
    createAvailabilityLoop({ db, clock, areClaimsOpen: areClaimsOpenIn(context) }),
    ...(replica === undefined ? [] : [createReplicaLoop({ db, realClock, replica })]),
  ]
}

/** Loops that read the chains: the watchers, their completeness checks, and look-ups of announced transactions. */
export function watcherLoops(context: Context): Loop[] {
  const { db, log, clock, chains, config } = context
  const tron = { reader: chains.tron.reader, staking: chains.tron.staking }
  const pauseOf = (chain: 'TRON' | 'BSC') =>
    config.devnet === undefined ? POLL_PAUSE_MS[chain] : undefined
  const totals = chainTotals(chains)
  const everyMs =
    config.devnet === undefined ? COMPLETENESS_PAUSE_MS.live : COMPLETENESS_PAUSE_MS.devnet
  return [
    ...watchedChains(context).flatMap((watched) => [
      createWatcher({ ...watched, log, pauseMs: pauseOf(watched.chain) }),
      createCompletenessLoop({
        ...{ ...watched, log, realClock, everyMs, tally: totals[watched.chain] },
        readers: watched.chain === 'TRON' ? chains.tron.readers : chains.bsc.readers,
      }),
    ]),
    createJoinChecker({ db, clock, tron }),
    createHintChecker({ db, realClock, reader: chains.bsc.reader, usdt: chains.bsc.usdt }),
    createNodeAlarmLoop({ db, realClock, nodes: knownNodes(chains) }),
  ]
}

/** Loops of the worker: scheduled jobs, the daily run, releases of capital, messages, audits, readings of funds. */
export function workerLoops(context: Context): Loop[] {
  const { db, log, clock, config, chains, dctDecimals } = context
  const pausesMs = PAUSES_MS[config.devnet === undefined ? 'live' : 'devnet']
  const distribution = {
    db,
    clock,
    maxClockSkewMs: config.devnet === undefined ? MAX_CLOCK_SKEW_MS : null,
    areClaimsOpen: areClaimsOpenIn(context),
  }
  return [
    createWorker({
      db,
      clock,
      log,
      handlers: { ...plansJobs({ clock }), ...payoutJobs({ clock }), ...claimJobs({ clock }) },
    }),
    createDistributor(distribution),
    createEarningMessages({ ...distribution, dctDecimals, pauseMs: pausesMs.earningMessages }),
    createSettleLoop({ db, clock }),
    createReleaseLoop({ db, clock, requestRelease }),
    createReservationLoop({
      ...{ db, clock, ...holdingReaders(chains) },
      pauseMs: pausesMs.reservations,
    }),
    createDownlineLoop({ db, pauseMs: pausesMs.downlines }),
    createOwedListLoop({ db, clock }),
    ...pairLoops(context),
    ...deadManLoops(context),
    outboxLoop(context),
    ...holderLoops(context),
    // Nobody makes backups of a development network.
    ...(config.devnet === undefined ? [createBackupLoop({ db, realClock })] : []),
    createWorkerAlarms({ db, realClock }),
    createAuditLoop({ db, clock, log, tron: chains.tron, bsc: chains.bsc }),
    createMoneyLoop({
      ...{ db, clock, realClock, tron: chains.tron, bsc: chains.bsc },
      ...{ operator: context.operator, payoutOperator: context.payoutOperator },
      pauseMs: pausesMs.funds,
    }),
    createTransactionFeeLoop({
      ...{ db, clock, tron: chains.tron, bsc: chains.bsc },
      pauseMs: pausesMs.transactionFees,
    }),
  ]
}

function areClaimsOpenIn(context: Context) {
  return async (tx: Tx, now: Date): Promise<boolean> => {
    try {
      await currentPrice(context, tx, now)
      return true
    } catch (error) {
      if (error instanceof Refusal && error.code === 'PRICE_UNAVAILABLE') return false
      throw error
    }
  }
}
