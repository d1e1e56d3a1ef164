import { evmSigner, tronSigner } from '@dct/chain-clients/senders/index'
import { rewardPoolAbi, stakingAbi, tokenAbi } from '@dct/contract-abi'
import { parseAmount } from '@dct/money'
import { CLAIM_MIN_DCT } from '@dct/rules/constants'
import { type Hex, pad, toEventSelector } from 'viem'
import { createMoneyLoop } from '../modules/admin/index.ts'
import { createAuditLoop } from '../modules/audit/audit.jobs.ts'
import { findUserByAddress } from '../modules/auth/index.ts'
import { createWatcher, type Stream } from '../modules/chain/index.ts'
import { claimJobs } from '../modules/claims/claims.jobs.ts'
import { createHintChecker, onUsdtTransfer } from '../modules/claims/index.ts'
import {
  bookStakingEvent,
  createAvailabilityLoop,
  createDistributor,
  createJoinChecker,
  createReleaseLoop,
  createSettleLoop,
} from '../modules/earnings/index.ts'
import {
  crashAt,
  createBscSender,
  createHandPaymentLoop,
  createTronSender,
  DEVNET_TIMING,
  LIVE_TIMING,
  noCrash,
  onRewardPaid,
  onWalletTransfer,
  type SenderDeps,
  type SenderTiming,
} from '../modules/payouts/index.ts'
import { payoutJobs } from '../modules/payouts/payouts.jobs.ts'
import { bookPoolEvent, notePlanCallDone } from '../modules/plans/index.ts'
import { plansJobs } from '../modules/plans/plans.jobs.ts'
import { currentPrice } from '../modules/pricing/index.ts'
import { createDownlineLoop, noteStake } from '../modules/referrals/index.ts'
import { realClock } from '../platform/clock.ts'
import type { Tx } from '../platform/db.ts'
import { Refusal } from '../platform/errors.ts'
import { createWorker } from '../platform/jobs.ts'
import { createLoopRunner, type Loop, type LoopRunner } from '../platform/loop.ts'
import { createReportLoop } from '../platform/loop-reports.ts'
import { SettingsError } from './config.ts'
import type { Context } from './context.ts'
import { onPayoutFinal, requestRelease } from './payout-wiring.ts'
import { creditReferrals } from './referral-wiring.ts'

/** How many blocks a watcher reads at once. Nodes limit it: Tron 5,000, BSC providers often less. */
const TRON_RANGE = 1_000
const BSC_RANGE = 500
/** Sums over downlines are at most this old, and the time that a fold takes. */
const DOWNLINE_PAUSE_MS = 30_000
/** Between two looks at what there is to pay with. */
const MEANS_PAUSE_MS = { devnet: 2_000, live: 60_000 }
const MAX_CLOCK_SKEW_MS = 10 * 60_000
/** Wei. Far above what BSC asks for; a node that asks for more is not believed. */
const MAX_GAS_PRICE = 20_000_000_000n
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

/** Runs loops, and writes down for everybody how they go. */
export function runnerOf({ db, log }: Context, loops: readonly Loop[]): LoopRunner {
  const reports = createReportLoop({ db, realClock, status: () => runner.status() })
  const runner = createLoopRunner([...loops, reports], log)
  return runner
}

/** What reads the chains: watchers, and the look-up of joins that wait for the chain. */
export function watcherLoops(context: Context): Loop[] {
  const { db, log, clock, chains, config } = context
  const tron = { reader: chains.tron.reader, staking: chains.tron.staking }
  return [
    createWatcher({
      db,
      chain: 'TRON',
      reader: chains.tron.reader,
      streams: tronStreams(context),
      log,
      startBlock: BigInt(config.tron.startBlock),
      maxRange: TRON_RANGE,
    }),
    createWatcher({
      db,
      chain: 'BSC',
      reader: chains.bsc.reader,
      streams: [usdtStream(context)],
      log,
      startBlock: BigInt(config.bsc.startBlock),
      maxRange: BSC_RANGE,
    }),
    createJoinChecker({ db, clock, tron }),
    createHintChecker({ db, realClock, reader: chains.bsc.reader, usdt: chains.bsc.usdt }),
  ]
}

function tronStreams(context: Context): Stream[] {
  const { clock, chains, dctDecimals } = context
  const { staking, rewardPool } = chains.tron
  const stakes = {
    clock,
    minimumClaim: parseAmount('DCT', CLAIM_MIN_DCT, dctDecimals),
    findUserId: async (tx: Tx, address: Buffer) => (await findUserByAddress(tx, address))?.id,
  }
  return [
    {
      name: 'staking',
      contracts: [{ address: staking, abi: stakingAbi }],
      async handle(tx, event) {
        await bookStakingEvent(stakes, tx, event)
        await noteStake(tx, event)
      },
    },
    {
      name: 'reward pool',
      contracts: [{ address: rewardPool, abi: rewardPoolAbi }],
      async handle(tx, event) {
        await bookPoolEvent(tx, event)
        if (event.name === 'RewardPaid')
          await onRewardPaid({ clock, onFinal: onPayoutFinal }, tx, event)
      },
    },
  ]
}

/** USDT that reaches or leaves an address of ours. */
function usdtStream(context: Context): Stream {
  const { clock, chains, feeReceivers } = context
  const { usdt, payoutWallet } = chains.bsc
  const ours = [...feeReceivers, payoutWallet].map((address) => pad(address))
  const fees = {
    clock,
    creditReferrals: creditReferrals(context),
    feeReceivers,
    payoutWallet,
  }
  const wallet = { clock, onFinal: onPayoutFinal, payoutWallet, feeReceivers }
  return {
    name: 'usdt',
    contracts: [{ address: usdt, abi: tokenAbi }],
    topicFilters: [
      [TRANSFER, null, ours],
      [TRANSFER, ours],
    ],
    async handle(tx, event) {
      if (event.name !== 'Transfer') return
      await onUsdtTransfer(fees, tx, event)
      await onWalletTransfer(wallet, tx, event)
    },
  }
}

/** What follows the business clock: jobs, the daily run, releases of capital. */
export function workerLoops(context: Context): Loop[] {
  const { db, log, clock, config, chains } = context
  const distribution = {
    db,
    clock,
    graceCycles: config.freezeGraceCycles,
    maxClockSkewMs: config.devnet === undefined ? MAX_CLOCK_SKEW_MS : null,
    areClaimsOpen: (tx: Tx, now: Date) => areClaimsOpen(context, tx, now),
  }
  return [
    createWorker({
      db,
      clock,
      log,
      handlers: { ...plansJobs({ clock }), ...payoutJobs({ clock }), ...claimJobs({ clock }) },
    }),
    createDistributor(distribution),
    createAvailabilityLoop(distribution),
    createSettleLoop({ db, clock }),
    createReleaseLoop({ db, clock, requestRelease }),
    createDownlineLoop({
      db,
      realClock,
      pauseMs: config.devnet === undefined ? DOWNLINE_PAUSE_MS : 0,
    }),
    createHandPaymentLoop({
      ...{ db, clock, ...chains.bsc, onFinal: onPayoutFinal },
      isManual: config.money.referralPayouts === 'manual',
      lookEveryMs: timingOf(context).pollMs,
    }),
    createAuditLoop({ db, clock, log, tron: chains.tron, bsc: chains.bsc }),
    createMoneyLoop({
      ...{ db, clock, realClock, tron: chains.tron, bsc: chains.bsc },
      operator: context.operator,
      pauseMs: config.devnet === undefined ? MEANS_PAUSE_MS.live : MEANS_PAUSE_MS.devnet,
    }),
  ]
}

/** What signs and sends. Only where the keys are. */
export function senderLoops(context: Context): Loop[] {
  const { db, log, clock, chains, config } = context
  const shared: SenderDeps = {
    db,
    clock,
    log,
    timing: timingOf(context),
    crashPoint: config.crashAt === undefined ? noCrash : crashAt(config.crashAt),
    onFinal: onPayoutFinal,
  }
  const loops: Loop[] = []
  if (config.tron.operatorKey !== undefined) {
    const { node, staking, rewardPool } = chains.tron
    const signer = tronSigner(config.tron.operatorKey)
    requireSame('TRON_OPERATOR_KEY_FILE', signer.address, context.operator)
    loops.push(
      createTronSender({
        ...shared,
        node,
        signer,
        contracts: { staking, rewardPool },
        onCallDone: notePlanCallDone,
      }),
    )
  }
  if (config.bsc.payoutKey !== undefined) {
    const { node, usdt } = chains.bsc
    const signer = evmSigner(config.bsc.payoutKey, config.bsc.chainId)
    requireSame('BSC_PAYOUT_KEY_FILE', signer.address, chains.bsc.payoutWallet)
    const isManual = config.money.referralPayouts === 'manual'
    const limits = { maxGasPrice: MAX_GAS_PRICE, isManual }
    loops.push(createBscSender({ ...shared, node, signer, usdt, ...limits }))
  }
  return loops
}

function timingOf({ config }: Context): SenderTiming {
  return config.devnet === undefined ? LIVE_TIMING : DEVNET_TIMING
}

async function areClaimsOpen(context: Context, tx: Tx, now: Date): Promise<boolean> {
  try {
    await currentPrice(context, tx, now)
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'PRICE_UNAVAILABLE') return false
    throw error
  }
}

/** A wrong key must not start: it could pay from a wallet that nobody watches. */
function requireSame(setting: string, found: Hex, wanted: Hex): void {
  if (found === wanted) return
  throw new SettingsError(`${setting} holds the key of ${found}; the key of ${wanted} is needed.`)
}
