import { rawKeySigner } from '@dct/chain-clients/signers/index'
import { devUsdtAbi, payoutVaultAbi } from '@dct/contract-abi'
import { devUsdtBytecode, payoutVaultBytecode } from '@dct/contract-abi/bytecode'
import { connectNode, continueState, runDeployment } from '@dct/contracts/deployment'
import { parseAmount } from '@dct/money'
import type { Hex } from 'viem'
import type { Deployment } from '../core/checkpoint.ts'
import type { Engine } from '../core/engine.ts'
import { FINALITY_BLOCKS } from '../core/evm-node.ts'
import { fromEvm, toBase58 } from '../tron/address.ts'
import { createBscWallet } from './bsc-wallet.ts'
import type { Faucet, Setup } from './faucet.ts'
import { DEMO_ACCOUNTS, type ServiceKeys } from './keys.ts'
import { asArgument } from './tron-wallet.ts'

/** The initial funds of each demo account. */
const DEMO_FUNDS = { dct: '1000', trx: '10000', usdt: '1000', bnb: '10' }
const OWNER_FUNDS = { trx: '100000000', bnb: '10000' }
const OPERATOR_FUNDS = { trx: '1000000' }
const PAYOUT_FUNDS = { bnb: '100' }
const VAULT_FUNDS = { usdt: '10000' }
/**
 * Development plans may be as short as a day and pay up to 100 % a day; the contract's default limits suit real money.
 */
const ANY_TERMS = { maxDailyBps: 10_000, minDurationDays: 1 }
/** The vault's limit of a day: as many USDT as nobody pays in development. */
const ANY_AMOUNT = parseAmount('USDT', '1000000000')
const TIMEOUT_MS = 30_000

/** Deploys the contracts on fresh chains, through the public gateways. */
export async function deployContracts({ engine, urls, keys }: Setup): Promise<Deployment> {
  const { owner } = keys
  await engine.addBalance('tron', {
    address: asArgument(owner.tronAddress),
    amount: parseAmount('TRX', OWNER_FUNDS.trx),
  })
  await engine.addBalance('bsc', {
    address: owner.bscAddress,
    amount: parseAmount('BNB', OWNER_FUNDS.bnb),
  })
  const [tron, bsc] = await Promise.all([
    deployOnTron(engine, urls.tron, keys),
    deployOnBsc(urls.bsc, keys),
  ])
  return { tron, bsc }
}

/** Deploys like `npm run deploy`, but keeps no state: chains whose deployment was not completed are discarded. */
async function deployOnTron(
  engine: Engine,
  url: string,
  { owner, operator }: ServiceKeys,
): Promise<Deployment['tron']> {
  const node = connectNode({ url, timeoutMs: TIMEOUT_MS })
  const ownerArgument = asArgument(owner.tronAddress)
  const inputs = {
    chainId: await node.chainId(),
    deployer: ownerArgument,
    owner: ownerArgument,
    operator: asArgument(operator.tronAddress),
    termLimits: ANY_TERMS,
  }
  const { token, rewardPool, staking } = await runDeployment(
    {
      node,
      signer: rawKeySigner(owner.bscPrivateKey),
      save: () => {},
      wait: () => engine.mine('tron', FINALITY_BLOCKS),
      report: () => {},
    },
    continueState(undefined, inputs),
  )
  return { token: base58(token), rewardPool: base58(rewardPool), staking: base58(staking) }
}

async function deployOnBsc(
  url: string,
  { owner, payout }: ServiceKeys,
): Promise<Deployment['bsc']> {
  const wallet = createBscWallet(url, owner)
  const usdt = await wallet.deploy({
    abi: devUsdtAbi,
    bytecode: devUsdtBytecode,
    constructorArgs: [owner.bscAddress],
  })
  const payoutVault = await wallet.deploy({
    abi: payoutVaultAbi,
    bytecode: payoutVaultBytecode,
    constructorArgs: [usdt, owner.bscAddress, payout.bscAddress, ANY_AMOUNT],
  })
  return { usdt, payoutVault }
}

/** Gives the demo accounts and the service's wallets their initial funds. */
export async function fundAccounts(
  faucet: Faucet,
  keys: ServiceKeys,
  { bsc }: Deployment,
): Promise<void> {
  for (const { tronAddress, bscAddress } of DEMO_ACCOUNTS) {
    await faucet.give({ tronAddress, bscAddress, ...DEMO_FUNDS })
  }
  await faucet.give({ tronAddress: keys.operator.tronAddress, ...OPERATOR_FUNDS })
  await faucet.give({ bscAddress: keys.payout.bscAddress, ...PAYOUT_FUNDS })
  await faucet.give({ bscAddress: bsc.payoutVault, ...VAULT_FUNDS })
}

function base58(address: Hex): string {
  return toBase58(fromEvm(address))
}
