import { evmSigner, tronSigner } from '@dct/chain-clients/senders/index'
import { SignerUnavailable } from '@dct/chain-clients/signers/index'
import type { Hex } from 'viem'
import {
  type CrashPoint,
  crashAt,
  createBscSender,
  createTronSender,
  DEVNET_TIMING,
  LIVE_TIMING,
  noCrash,
  type SenderDeps,
  type SenderTiming,
} from '../../modules/payouts/index.ts'
import { recordPlanCallDone } from '../../modules/plans/index.ts'
import { signedClaimOf } from '../../modules/referrals/index.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { type Config, SettingsError } from '../config.ts'
import type { Context } from '../context.ts'
import { openSigner } from '../open-signer.ts'
import type { KeySource } from '../settings/key-sources.ts'
import { chargePaid, onPayoutFinal } from '../wiring/payout-wiring.ts'

/** Wei. Far above the usual price on BSC; a node that reports more is not trusted. */
const MAX_GAS_PRICE = 20_000_000_000n

/**
 * Loops that sign and send. They only run where the keys are.
 * @throws SettingsError for a key that can't be opened, or does not belong to the configured address
 */
export async function senderLoops(context: Context): Promise<Loop[]> {
  const { db, log, clock, config } = context
  const shared: SenderDeps = {
    db,
    clock,
    log,
    timing: timingOf(context),
    crashPoint: crashPointOf(config),
    onFinal: onPayoutFinal,
  }
  const { operatorKey } = config.tron
  const { payoutKey } = config.bsc
  return Promise.all([
    ...(operatorKey === undefined
      ? []
      : [openLoop('tron-sender', () => tronSender(context, shared, operatorKey))]),
    ...(payoutKey === undefined
      ? []
      : [openLoop('bsc-sender', () => bscSender(context, shared, payoutKey))]),
  ])
}

/** A loop whose key service may not answer when the process starts: then it asks again at each step, and signs nothing. */
export async function openLoop(name: string, open: () => Promise<Loop>): Promise<Loop> {
  let loop: Loop | undefined
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof SignerUnavailable)) throw error
    return {
      name,
      async step() {
        loop ??= await open()
        return loop.step()
      },
    }
  }
}

async function tronSender(context: Context, shared: SenderDeps, key: KeySource): Promise<Loop> {
  const { node, staking, rewardPool } = context.chains.tron
  const signer = tronSigner(await openSigner(key))
  requireSame(key, signer.address, context.operator)
  return createTronSender({
    ...shared,
    node,
    signer,
    contracts: { staking, rewardPool },
    charge: chargePaid,
    onCallDone: recordPlanCallDone,
  })
}

async function bscSender(context: Context, shared: SenderDeps, key: KeySource): Promise<Loop> {
  const { chains, config } = context
  const { node, usdt, vault } = chains.bsc
  const signer = evmSigner(await openSigner(key), config.bsc.chainId)
  requireSame(key, signer.address, context.payoutOperator)
  return createBscSender({
    ...shared,
    ...{ node, signer, usdt, vault },
    charge: chargePaid,
    claimOf: signedClaimOf,
    maxGasPrice: MAX_GAS_PRICE,
  })
}

/** Kills this process at the step that a crash test asked for; does nothing otherwise. */
export function crashPointOf({ crashAt: step }: Config): CrashPoint {
  return step === undefined ? noCrash : crashAt(step)
}

/** How long senders wait for nodes under these settings. */
export function timingOf({ config }: Context): SenderTiming {
  return config.devnet === undefined ? LIVE_TIMING : DEVNET_TIMING
}

/** Refuses to start with a wrong key: every transaction that it signs would fail. */
export function requireSame({ setting }: KeySource, found: Hex, wanted: Hex): void {
  if (found === wanted) return
  throw new SettingsError(`${setting} holds the key of ${found}; the key of ${wanted} is needed.`)
}
