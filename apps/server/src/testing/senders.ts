import type { EvmNode } from '@dct/chain-clients'
import { evmSigner, tronSigner } from '@dct/chain-clients/senders/index'
import { type DigestSigner, rawKeySigner } from '@dct/chain-clients/signers/index'
import type { Hex } from 'viem'
import { account, postTransfers } from '../modules/ledger/index.ts'
import {
  type BookDeps,
  createBscSender,
  createPayout,
  createTronSender,
  DEVNET_TIMING,
  type FinalPayout,
  noCrash,
  type OperatorCall,
  type SenderDeps,
  type SenderTiming,
} from '../modules/payouts/index.ts'
import { type Clock, realClock } from '../platform/clock.ts'
import { type Db, inTransaction } from '../platform/database/db.ts'
import { createLogger } from '../platform/logger.ts'
import type { Loop } from '../platform/loops/loop.ts'
import { everything } from './all-tables.ts'
import { addressesOf, bscNodeOf, type Chains, tronNodeOf } from './sender-chains.ts'
import { signTestClaim, testReferrer } from './test-claims.ts'

export const GWEI = 1_000_000_000n
const BSC_CHAIN_ID = 97
/** Every step polls and broadcasts again; nothing is replaced. */
export const RESTLESS: SenderTiming = {
  pollMs: 0,
  retryMs: 0,
  rebroadcastMs: 0,
  replaceAfterMs: 600_000,
}

export type SenderWorld = {
  db: Db
  chains: Chains
  clock: Clock
  finals: FinalPayout[]
  doneCalls: OperatorCall[]
  charge: BookDeps['charge']
}

export function senderWorld(db: Db, chains: Chains): SenderWorld {
  return {
    db,
    chains,
    clock: realClock,
    finals: [],
    doneCalls: [],
    charge: async () => undefined,
  }
}

/** A sender's dependencies, none of them faked. */
export function senderDeps(world: SenderWorld, changes: Partial<SenderDeps> = {}): SenderDeps {
  return {
    db: world.db,
    clock: world.clock,
    log: createLogger('silent'),
    timing: DEVNET_TIMING,
    crashPoint: noCrash,
    async onFinal(_tx, payout) {
      world.finals.push(payout)
    },
    ...changes,
  }
}

/** @param changes `key` is a signer to use instead of the operator's own key */
export function tronSenderOf(
  world: SenderWorld,
  changes: Partial<SenderDeps & BookDeps> & { key?: DigestSigner } = {},
): Loop {
  const ownKey = rawKeySigner(world.chains.serviceKeys.operator.tronPrivateKey)
  const { key = ownKey, charge = world.charge, ...rest } = changes
  const { rewardPool, staking } = addressesOf(world.chains)
  return createTronSender({
    ...senderDeps(world, rest),
    node: tronNodeOf(world.chains),
    signer: tronSigner(key),
    charge,
    contracts: { rewardPool, staking },
    async onCallDone(_tx, call) {
      world.doneCalls.push(call)
    },
  })
}

export function bscSenderOf(
  world: SenderWorld,
  changes: Partial<SenderDeps & BookDeps> & {
    maxGasPrice?: bigint
    key?: DigestSigner
    node?: EvmNode
  } = {},
): Loop {
  const {
    node = bscNodeOf(world.chains),
    maxGasPrice = 100n * GWEI,
    charge = async () => undefined,
    ...others
  } = changes
  const { key = rawKeySigner(world.chains.serviceKeys.payout.bscPrivateKey), ...rest } = others
  const { usdt, vault } = addressesOf(world.chains)
  return createBscSender({
    ...senderDeps(world, rest),
    node,
    signer: evmSigner(key, BSC_CHAIN_ID),
    ...{ usdt, vault, charge, maxGasPrice },
    claimOf: (db, payoutId) => signTestClaim(world, db, payoutId),
  })
}

/** The dependencies of admin actions on payouts and calls, none of them faked. */
export function adminDeps(world: SenderWorld, changes: Partial<SenderDeps> = {}) {
  return { ...senderDeps(world, changes), recordAdminAction: async () => undefined }
}

/** Creates a due reward payout with its ledger entries. */
export async function givenRewardPayout(
  world: SenderWorld,
  facts: {
    to: Hex
    amount: bigint
    stakeId: bigint
    planCode: string
    lastCycle?: number
    cause?: string
  },
): Promise<bigint> {
  const at = world.clock.now()
  const { stakeId, planCode, amount, lastCycle = 1 } = facts
  const cause = facts.cause ?? `test:${stakeId}:${lastCycle}`
  return inTransaction(world.db, async (tx) => {
    const payoutId = await createPayout(tx, {
      account: { chain: 'TRON', holder: facts.to, name: planCode },
      cause,
      amount,
      at,
    })
    const asset = 'DCT' as const
    await postTransfers(tx, [
      {
        debit: account.chainPool(planCode),
        credit: account.free(planCode),
        asset,
        amount,
        kind: 'test.funded',
        ref: cause,
        at,
      },
      {
        debit: account.free(planCode),
        credit: account.payout(payoutId),
        asset,
        amount,
        kind: 'test.owed',
        ref: cause,
        at,
      },
    ])
    return payoutId
  })
}

/**
 * Creates a due USDT payout with its ledger entries. It pays a claim of a referrer of that name, who is new unless given.
 */
export async function givenUsdtPayout(
  world: SenderWorld,
  facts: { to: Hex; amount: bigint; cause: string; referrer?: string },
): Promise<bigint> {
  const at = world.clock.now()
  const { amount, cause } = facts
  return inTransaction(world.db, async (tx) => {
    const payoutId = await createPayout(tx, {
      account: {
        chain: 'BSC',
        holder: testReferrer(world, facts.referrer ?? cause).address,
        name: 'direct',
      },
      cause,
      to: Buffer.from(facts.to.slice(2), 'hex'),
      amount,
      at,
    })
    const asset = 'USDT' as const
    await postTransfers(tx, [
      {
        debit: account.payoutWallet,
        credit: account.owner,
        asset,
        amount,
        kind: 'test.funded',
        ref: cause,
        at,
      },
      {
        debit: account.owner,
        credit: account.payout(payoutId),
        asset,
        amount,
        kind: 'test.owed',
        ref: cause,
        at,
      },
    ])
    return payoutId
  })
}

export async function payoutRow(db: Db, id: bigint) {
  return everything(db)
    .selectFrom('payout')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

export async function attemptsOf(db: Db, payoutId: bigint) {
  return everything(db)
    .selectFrom('send_attempt')
    .selectAll()
    .where('payout_id', '=', payoutId)
    .orderBy('id')
    .execute()
}
