import { evmSigner, tronSigner } from '@dct/chain-clients/senders/index'
import { DECIMALS } from '@dct/money'
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
  const { db, log, clock, chains, config } = context
  const shared: SenderDeps = {
    db,
    clock,
    log,
    timing: timingOf(context),
    crashPoint: crashPointOf(config),
    onFinal: onPayoutFinal,
  }
  const loops: Loop[] = []
  if (config.tron.operatorKey !== undefined) {
    const { node, staking, rewardPool } = chains.tron
    const signer = tronSigner(await openSigner(config.tron.operatorKey))
    requireSame(config.tron.operatorKey, signer.address, context.operator)
    loops.push(
      createTronSender({
        ...shared,
        node,
        signer,
        contracts: { staking, rewardPool },
        charge: chargePaid,
        onCallDone: recordPlanCallDone,
      }),
    )
  }
  if (config.bsc.payoutKey !== undefined) {
    const { node, usdt } = chains.bsc
    const signer = evmSigner(await openSigner(config.bsc.payoutKey), config.bsc.chainId)
    requireSame(config.bsc.payoutKey, signer.address, chains.bsc.payoutWallet)
    const isManual = config.money.referralPayouts === 'manual'
    const formerWallets = context.own.payout_wallet.filter((one) => one !== signer.address)
    const mostPerDay = BigInt(config.money.mostUsdtPerDay) * 10n ** BigInt(DECIMALS.USDT)
    const limits = { maxGasPrice: MAX_GAS_PRICE, mostPerDay, isManual, formerWallets }
    loops.push(createBscSender({ ...shared, node, signer, usdt, ...limits }))
  }
  return loops
}

/** Kills this process at the step that a crash test asked for; does nothing otherwise. */
export function crashPointOf({ crashAt: step }: Config): CrashPoint {
  return step === undefined ? noCrash : crashAt(step)
}

/** How long senders wait for nodes under these settings. */
export function timingOf({ config }: Context): SenderTiming {
  return config.devnet === undefined ? LIVE_TIMING : DEVNET_TIMING
}

/** Refuses to start with a wrong key: it could pay from a wallet that nobody watches. */
export function requireSame({ setting }: KeySource, found: Hex, wanted: Hex): void {
  if (found === wanted) return
  throw new SettingsError(`${setting} holds the key of ${found}; the key of ${wanted} is needed.`)
}
