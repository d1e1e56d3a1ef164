import { payoutVaultAbi, rewardPoolAbi, stakingAbi, tokenAbi } from '@dct/contract-abi'
import { parseAmount } from '@dct/money'
import { CLAIM_MIN_DCT } from '@dct/rules/constants'
import { pad, toEventSelector } from 'viem'
import { correctOpenings } from '../../modules/audit/index.ts'
import { findUserByAddress } from '../../modules/auth/index.ts'
import {
  type ChainEvent,
  type HaltDeps,
  ownAddresses,
  type Stream,
} from '../../modules/chain/index.ts'
import { onUsdtTransfer } from '../../modules/claims/index.ts'
import { bookStakingEvent } from '../../modules/earnings/index.ts'
import {
  hasLeftVault,
  onRewardPaid,
  onVaultEvent,
  onVaultFilled,
  undoEvent,
} from '../../modules/payouts/index.ts'
import { bookPoolEvent } from '../../modules/plans/index.ts'
import { recordStake } from '../../modules/referrals/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import type { Context } from '../context.ts'
import { chargePaid, onPayoutFinal, onPayoutUndone } from '../wiring/payout-wiring.ts'
import { creditReferrals } from '../wiring/referral-wiring.ts'

/** The maximum number of blocks per read. Nodes limit it: Tron to 5,000, BSC providers often to less. */
const TRON_RANGE = 1_000
const BSC_RANGE = 500
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

/** The events that are read from each chain, and their handlers. */
export function watchedChains(context: Context): HaltDeps[] {
  const { db, chains, config } = context
  return [
    {
      db,
      chain: 'TRON',
      reader: chains.tron.reader,
      streams: tronStreams(context),
      startBlock: BigInt(config.tron.startBlock),
      maxRange: TRON_RANGE,
    },
    {
      db,
      chain: 'BSC',
      reader: chains.bsc.reader,
      streams: [usdtStream(context), vaultStream(context)],
      startBlock: BigInt(config.bsc.startBlock),
      maxRange: BSC_RANGE,
    },
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
  const undo = undoOf(clock)
  return [
    {
      name: 'staking',
      contracts: [{ address: staking, abi: stakingAbi }],
      async handle(tx, event) {
        await bookStakingEvent(stakes, tx, event)
        await recordStake(tx, event)
      },
      undo,
    },
    {
      name: 'reward pool',
      contracts: [{ address: rewardPool, abi: rewardPoolAbi }],
      async handle(tx, event) {
        await bookPoolEvent(tx, event)
        if (event.name === 'RewardPaid') {
          await onRewardPaid({ clock, onFinal: onPayoutFinal, charge: chargePaid }, tx, event)
        }
      },
      undo,
    },
  ]
}

/** Payments and calls of ours that are gone from their chain are made again. */
function undoOf(clock: Clock) {
  return (tx: Tx, event: ChainEvent) => undoEvent({ clock, onUndone: onPayoutUndone }, tx, event)
}

/** The vault's payments and withdrawals. Its address never changes. */
function vaultStream({ clock, chains }: Context): Stream {
  const { vault } = chains.bsc
  return {
    name: 'payout vault',
    contracts: [{ address: vault, abi: payoutVaultAbi }],
    async handle(tx, event) {
      const { fee_receiver: feeReceivers } = await ownAddresses(tx)
      const deps = { clock, onFinal: onPayoutFinal, charge: chargePaid, feeReceivers }
      await onVaultEvent(deps, tx, event)
    },
    undo: undoOf(clock),
  }
}

/**
 * USDT sent to or from one of our addresses, even one that another process has just started to use: the addresses are
 * read again for each range and each event.
 */
function usdtStream(context: Context): Stream {
  const { db, clock, chains } = context
  const fees = { clock, creditReferrals }
  const addresses = async (from: DbOrTx) => {
    const own = await ownAddresses(from)
    return { feeReceivers: own.fee_receiver, vaults: own.payout_wallet }
  }
  return {
    name: 'usdt',
    contracts: [{ address: chains.bsc.usdt, abi: tokenAbi }],
    async topicFilters() {
      const { feeReceivers, vaults } = await addresses(db)
      const ours = [...feeReceivers, ...vaults].map((address) => pad(address))
      return [
        [TRANSFER, null, ours],
        [TRANSFER, ours],
      ]
    },
    async handle(tx, event) {
      if (event.name !== 'Transfer') return
      const own = await addresses(tx)
      await onUsdtTransfer({ ...fees, ...own }, tx, event)
      await onVaultFilled(own, tx, event)
      await correctOpenings(tx, event)
    },
    undo: async (tx, event) => hasLeftVault(await addresses(tx), event),
  }
}
