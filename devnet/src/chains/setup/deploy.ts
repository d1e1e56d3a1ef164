import { devTokenAbi, devUsdtAbi, rewardPoolAbi, stakingAbi } from '@dct/contract-abi'
import {
  devTokenBytecode,
  devUsdtBytecode,
  rewardPoolBytecode,
  stakingBytecode,
} from '@dct/contract-abi/bytecode'
import { parseAmount } from '@dct/money'
import type { Deployment } from '../core/checkpoint.ts'
import type { Engine } from '../core/engine.ts'
import { createBscWallet } from './bsc-wallet.ts'
import type { Faucet } from './faucet.ts'
import { DEMO_ACCOUNTS, type ServiceKeys } from './keys.ts'
import { asArgument, createTronWallet } from './tron-wallet.ts'

/** The initial funds of each demo account. */
const DEMO_FUNDS = { dct: '1000', trx: '10000', usdt: '1000', bnb: '10' }
const OWNER_FUNDS = { trx: '100000000', bnb: '10000' }
const OPERATOR_FUNDS = { trx: '1000000' }
const PAYOUT_FUNDS = { bnb: '100', usdt: '10000' }
/**
 * Development plans may last a day and pay up to 100 % of it; the contract's default limits are meant for real money.
 */
const ANY_TERMS = { maxDailyBps: 10_000n, minDurationDays: 1n }

/** Deploys the contracts on fresh chains, through the public gateways. */
export async function deployContracts(options: {
  engine: Engine
  urls: { tron: string; bsc: string }
  keys: ServiceKeys
}): Promise<Deployment> {
  const { engine, urls, keys } = options
  const { owner, operator } = keys
  await engine.addBalance('tron', {
    address: asArgument(owner.tronAddress),
    amount: parseAmount('TRX', OWNER_FUNDS.trx),
  })
  await engine.addBalance('bsc', {
    address: owner.bscAddress,
    amount: parseAmount('BNB', OWNER_FUNDS.bnb),
  })
  const [tron, bsc] = await Promise.all([
    deployOnTron(urls.tron, { owner, operator }),
    deployOnBsc(urls.bsc, keys),
  ])
  return { tron, bsc }
}

async function deployOnTron(
  url: string,
  { owner, operator }: Pick<ServiceKeys, 'owner' | 'operator'>,
): Promise<Deployment['tron']> {
  const wallet = await createTronWallet(url, owner)
  const ownerArgument = asArgument(owner.tronAddress)
  const token = await wallet.deploy({
    name: 'DevToken',
    abi: devTokenAbi,
    bytecode: devTokenBytecode,
    constructorArgs: [ownerArgument],
  })
  const rewardPool = await wallet.deploy({
    name: 'RewardPool',
    abi: rewardPoolAbi,
    bytecode: rewardPoolBytecode,
    constructorArgs: [asArgument(token), ownerArgument, asArgument(operator.tronAddress)],
  })
  await wallet.call({
    contract: rewardPool,
    abi: rewardPoolAbi,
    functionName: 'setTermLimits',
    args: [ANY_TERMS.maxDailyBps, ANY_TERMS.minDurationDays],
  })
  const staking = await wallet.deploy({
    name: 'Staking',
    abi: stakingAbi,
    bytecode: stakingBytecode,
    constructorArgs: [asArgument(token), asArgument(rewardPool), ownerArgument],
  })
  await wallet.call({
    contract: rewardPool,
    abi: rewardPoolAbi,
    functionName: 'bindStaking',
    args: [asArgument(staking)],
  })
  return { token, rewardPool, staking }
}

async function deployOnBsc(url: string, { owner }: ServiceKeys): Promise<Deployment['bsc']> {
  const usdt = await createBscWallet(url, owner).deploy({
    abi: devUsdtAbi,
    bytecode: devUsdtBytecode,
    constructorArgs: [owner.bscAddress],
  })
  return { usdt }
}

/** Gives the demo accounts and the service's wallets their initial funds. */
export async function fundAccounts(faucet: Faucet, keys: ServiceKeys): Promise<void> {
  for (const { tronAddress, bscAddress } of DEMO_ACCOUNTS) {
    await faucet.give({ tronAddress, bscAddress, ...DEMO_FUNDS })
  }
  await faucet.give({ tronAddress: keys.operator.tronAddress, ...OPERATOR_FUNDS })
  await faucet.give({ bscAddress: keys.payout.bscAddress, ...PAYOUT_FUNDS })
}
