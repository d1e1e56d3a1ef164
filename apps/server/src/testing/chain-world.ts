import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChainReader, createTronClient } from '@dct/chain-clients'
import { devTokenAbi, rewardPoolAbi, stakingAbi, tokenAbi } from '@dct/contract-abi'
import { rewardPoolBytecode, stakingBytecode } from '@dct/contract-abi/bytecode'
import type { ChainHost } from '@dct/devnet/chains/index'
import { createTronWallet } from '@dct/devnet/chains/setup/tron-wallet'
import { startPreparedChains } from '@dct/devnet/chains/testing/test-host'
import { demoAccount, signedCall, tronWebOf } from '@dct/devnet/chains/testing/tron-client'
import type { Dct } from '@dct/money'
import { parseTronAddress } from '@dct/rules/addresses'
import type { Abi, Hex } from 'viem'
import { createWatcher, hexOf, type Stream, type Watcher } from '../modules/chain/index.ts'
import { bookStakingEvent } from '../modules/earnings/index.ts'
import { bookPoolEvent } from '../modules/plans/index.ts'
import { recordStake } from '../modules/referrals/index.ts'
import type { Db } from '../platform/database/db.ts'
import { createLogger } from '../platform/logger.ts'
import { stakeDeps } from './stakes.ts'

type Account = ReturnType<typeof demoAccount>
type Call = { contract: string; abi: Abi; functionName: string; args: readonly unknown[] }

/** Development chains with the actions that tests of stakes need. */
export type ChainWorld = {
  host: ChainHost
  reader: ChainReader
  token: Hex
  staking: Hex
  rewardPool: Hex
  account(index: number): Account & { address: Buffer }
  /** Opens a plan on chain and funds it. */
  openPlan(plan: { code: string; durationDays: number; rate: bigint }): Promise<void>
  /** Approves and joins. @returns the transaction's id */
  join(account: Account, stake: { planCode: string; amount: Dct; days?: number }): Promise<string>
  /** Sends a contract call, whether it succeeds or not. @returns the transaction's id */
  send(account: Account, call: Call, options?: { feeLimit?: number }): Promise<string>
  /** A watcher that starts at the current block, or at a given one. */
  watcherOf(db: Db, clock: { now(): Date }, startBlock?: bigint): Promise<Watcher>
  /** A foreign staking contract with the same code, terms and events. @returns its address, `T…` */
  deployTwin(plan: { code: string; durationDays: number; rate: bigint }): Promise<string>
  /** Makes everything final and lets the watcher read it. */
  settle(watcher: Watcher): Promise<void>
  stop(): Promise<void>
}

export async function startChainWorld(): Promise<ChainWorld> {
  const dir = mkdtempSync(join(tmpdir(), 'dct-chain-world-'))
  const host = await startPreparedChains(dir)
  const { tron } = host.deployment
  const reader = createTronClient({
    http: { url: host.tronUrl },
    jsonRpc: { url: host.tronJsonRpcUrl },
  })
  const [staking, rewardPool] = [hexAddress(tron.staking), hexAddress(tron.rewardPool)]

  const send: ChainWorld['send'] = async (account, call, options) => {
    const client = tronWebOf(host, account)
    const signed = await signedCall(client, call, options)
    const reply = await client.trx.sendRawTransaction(signed)
    if (!reply.result) throw new Error(`refused: ${reply.code}`)
    return signed.txID
  }
  return {
    host,
    reader,
    token: hexAddress(tron.token),
    staking,
    rewardPool,
    send,
    account(index) {
      const account = demoAccount(index)
      return { ...account, address: bytesOf(account.tronAddress) }
    },
    async openPlan({ code, durationDays, rate }) {
      const args = [code, BigInt(durationDays), rate]
      const call = { contract: tron.rewardPool, abi: rewardPoolAbi, functionName: 'openPlan', args }
      await send(host.serviceKeys.operator, call)
      await host.control.fundPlan({ planCode: code, amount: '10000' })
    },
    async join(account, { planCode, amount, days = 360 }) {
      const approval = [staking, amount]
      await send(account, {
        contract: tron.token,
        abi: tokenAbi,
        functionName: 'approve',
        args: approval,
      })
      const args = [amount, planCode, BigInt(days)]
      return send(account, {
        contract: tron.staking,
        abi: stakingAbi,
        functionName: 'joinStake',
        args,
      })
    },
    async watcherOf(db, clock, startBlock) {
      await host.control.finalize()
      const { number } = await reader.finalHead()
      return createWatcher({
        db,
        chain: 'TRON',
        reader,
        streams: stakeStreams({ db, clock, staking, rewardPool }),
        log: createLogger('silent'),
        startBlock: startBlock ?? number + 1n,
        maxRange: 1_000,
      })
    },
    deployTwin: (plan) => deployTwin(host, plan),
    async settle(watcher) {
      await host.control.finalize()
      await watcher.catchUp()
    },
    async stop() {
      await host.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function deployTwin(
  host: ChainHost,
  plan: { code: string; durationDays: number; rate: bigint },
): Promise<string> {
  const { owner } = host.serviceKeys
  const wallet = await createTronWallet(host.tronUrl, owner)
  const { token } = host.deployment.tron
  const ownerHex = hexAddress(owner.tronAddress)
  const deploy = (name: string, abi: Abi, bytecode: Hex, constructorArgs: readonly unknown[]) =>
    wallet.deploy({ name, abi, bytecode, constructorArgs })
  const pool = await deploy('RewardPool', rewardPoolAbi, rewardPoolBytecode, [
    hexAddress(token),
    ownerHex,
    ownerHex,
  ])
  const twin = await deploy('Staking', stakingAbi, stakingBytecode, [
    hexAddress(token),
    hexAddress(pool),
    ownerHex,
  ])
  const means = 1_000_000_000n
  const calls: Call[] = [
    { contract: pool, abi: rewardPoolAbi, functionName: 'bindStaking', args: [hexAddress(twin)] },
    {
      contract: pool,
      abi: rewardPoolAbi,
      functionName: 'openPlan',
      args: [plan.code, BigInt(plan.durationDays), plan.rate],
    },
    { contract: token, abi: devTokenAbi, functionName: 'mint', args: [ownerHex, means] },
    { contract: token, abi: tokenAbi, functionName: 'approve', args: [hexAddress(pool), means] },
    {
      contract: pool,
      abi: rewardPoolAbi,
      functionName: 'addRewardForPlan',
      args: [plan.code, means],
    },
  ]
  for (const call of calls) await wallet.call(call)
  return twin
}

/** The handlers that book stakes and plans from the chain. */
export function stakeStreams(options: {
  db: Db
  clock: { now(): Date }
  staking: Hex
  rewardPool: Hex
}): Stream[] {
  const deps = stakeDeps(options)
  return [
    {
      name: 'staking',
      contracts: [{ address: options.staking, abi: stakingAbi }],
      async handle(tx, event) {
        await bookStakingEvent(deps, tx, event)
        await recordStake(tx, event)
      },
    },
    {
      name: 'reward pool',
      contracts: [{ address: options.rewardPool, abi: rewardPoolAbi }],
      handle: bookPoolEvent,
    },
  ]
}

function bytesOf(tronAddress: string): Buffer {
  return Buffer.from(parseTronAddress(tronAddress) ?? [])
}

function hexAddress(tronAddress: string): Hex {
  return hexOf(bytesOf(tronAddress))
}
