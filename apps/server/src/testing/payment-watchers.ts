import { createEvmClient, createTronClient } from '@dct/chain-clients'
import { payoutVaultAbi, rewardPoolAbi, tokenAbi } from '@dct/contract-abi'
import { type Hex, pad, toEventSelector } from 'viem'
import { createWatcher, type HaltDeps, type Stream, type Watcher } from '../modules/chain/index.ts'
import { findAccount } from '../modules/payouts/accounts.queries.ts'
import {
  hasLeftVault,
  onRewardPaid,
  onVaultEvent,
  onVaultFilled,
  undoEvent,
} from '../modules/payouts/index.ts'
import { createLogger } from '../platform/logger.ts'
import { addressesOf } from './sender-chains.ts'
import type { SenderWorld } from './senders.ts'

const MAX_RANGE = 1_000
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

export function tronWatcherOf(world: SenderWorld, startBlock = 1n): Watcher {
  return createWatcher({ ...watchedTron(world, startBlock), log: createLogger('silent') })
}

export function bscWatcherOf(world: SenderWorld, startBlock = 1n): Watcher {
  return createWatcher({ ...watchedBsc(world, startBlock), log: createLogger('silent') })
}

/**
 * The reward contract's payments, wired as in main/, but only those to accounts of this database: the tests of a file
 * share one chain.
 */
export function watchedTron(world: SenderWorld, startBlock = 1n): HaltDeps {
  const { tronUrl, tronJsonRpcUrl } = world.chains
  const stream: Stream = {
    name: 'reward pool',
    contracts: [{ address: addressesOf(world.chains).rewardPool, abi: rewardPoolAbi }],
    async handle(tx, event) {
      if (event.name !== 'RewardPaid') return
      const holder = event.args.to as Hex
      const known = await findAccount(tx, {
        chain: 'TRON',
        holder,
        name: event.args.planCode ?? '',
      })
      if (known !== undefined) await onRewardPaid(recordDeps(world), tx, event)
    },
    undo: (tx, event) => undoEvent(recordDeps(world), tx, event),
  }
  return {
    db: world.db,
    chain: 'TRON',
    reader: createTronClient({ http: { url: tronUrl }, jsonRpc: { url: tronJsonRpcUrl } }),
    streams: [stream],
    startBlock,
    maxRange: MAX_RANGE,
  }
}

/** The vault's events and the USDT that fills it up, wired as in main/. */
export function watchedBsc(world: SenderWorld, startBlock = 1n): HaltDeps {
  const { usdt, vault, feeReceiver } = addressesOf(world.chains)
  const deps = { ...recordDeps(world), vaults: [vault], feeReceivers: [feeReceiver] }
  const streams: Stream[] = [
    {
      name: 'usdt',
      contracts: [{ address: usdt, abi: tokenAbi }],
      topicFilters: async () => [[TRANSFER, null, [pad(vault)]]],
      async handle(tx, event) {
        if (event.name === 'Transfer') await onVaultFilled(deps, tx, event)
      },
      undo: async (_tx, event) => hasLeftVault(deps, event),
    },
    {
      name: 'payout vault',
      contracts: [{ address: vault, abi: payoutVaultAbi }],
      handle: (tx, event) => onVaultEvent(deps, tx, event),
      undo: (tx, event) => undoEvent(deps, tx, event),
    },
  ]
  return {
    db: world.db,
    chain: 'BSC',
    reader: createEvmClient({ url: world.chains.bscUrl }),
    streams,
    startBlock,
    maxRange: MAX_RANGE,
  }
}

function recordDeps(world: SenderWorld) {
  return {
    clock: world.clock,
    charge: world.charge,
    async onFinal(_tx: unknown, payout: SenderWorld['finals'][number]) {
      world.finals.push(payout)
    },
    async onUndone() {
      // What a payout pays for is not known here.
    },
  }
}
