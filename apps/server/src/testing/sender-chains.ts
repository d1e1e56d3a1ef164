import { createEvmClient, createTronClient, type EvmNode, type TronNode } from '@dct/chain-clients'
import { encodeCall, evmSigner, tronSigner } from '@dct/chain-clients/senders/index'
import { rawKeySigner } from '@dct/chain-clients/signers/index'
import { devUsdtAbi, payoutVaultAbi, rewardPoolAbi, stakingAbi, tokenAbi } from '@dct/contract-abi'
import { payoutVaultBytecode } from '@dct/contract-abi/bytecode'
import { formatTronAddress, parseTronAddress } from '@dct/rules/addresses'
import {
  type Abi,
  decodeFunctionResult,
  encodeDeployData,
  getContractAddress,
  type Hex,
  parseEventLogs,
  type RpcLog,
} from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { hexOf } from '../modules/chain/index.ts'

/** What tests need to know about the development chains; devnet's `ChainHost` provides it. */
export type Chains = {
  tronUrl: string
  tronJsonRpcUrl: string
  bscUrl: string
  deployment: {
    tron: { token: string; staking: string; rewardPool: string }
    bsc: { usdt: Hex; payoutVault: Hex }
  }
  serviceKeys: {
    owner: { tronPrivateKey: string; bscPrivateKey: Hex }
    operator: { tronPrivateKey: string }
    payout: { bscPrivateKey: Hex; bscAddress: Hex }
    feeReceiver: { bscAddress: Hex }
  }
  control: {
    finalize(): Promise<unknown>
    advanceTo(target: { timestampMs: number }): Promise<unknown>
    fundPlan(plan: { planCode: string; amount: string }): Promise<unknown>
    faucet(request: {
      tronAddress?: string
      bscAddress?: string
      dct?: string
      trx?: string
      usdt?: string
      bnb?: string
    }): Promise<unknown>
  }
}

export const PLAN = { code: 'PLAN-360', durationDays: 360, totalBps: 7_200n }
const MOST_FEE_SUN = 5_000_000_000n
const TIMEOUT_MS = 10_000

/** The 20 bytes of a `T…` address as hex. */
export function tronAddressHex(address: string): Hex {
  const bytes = parseTronAddress(address)
  if (!bytes) throw new RangeError(`${address} is not a Tron address`)
  return hexOf(bytes)
}

export function addressesOf(chains: Chains) {
  const { tron, bsc } = chains.deployment
  return {
    token: tronAddressHex(tron.token),
    staking: tronAddressHex(tron.staking),
    rewardPool: tronAddressHex(tron.rewardPool),
    usdt: bsc.usdt.toLowerCase() as Hex,
    vault: bsc.payoutVault.toLowerCase() as Hex,
    feeReceiver: chains.serviceKeys.feeReceiver.bscAddress.toLowerCase() as Hex,
  }
}

export function tronNodeOf(chains: Chains): TronNode {
  return createTronClient({
    http: { url: chains.tronUrl, timeoutMs: TIMEOUT_MS },
    jsonRpc: { url: chains.tronJsonRpcUrl, timeoutMs: TIMEOUT_MS },
  })
}

export function bscNodeOf(chains: Chains): EvmNode {
  return createEvmClient({ url: chains.bscUrl, timeoutMs: TIMEOUT_MS })
}

let salt = 0

/** Calls a contract on Tron with any key. @returns the hash of the transaction, which succeeded */
export async function callTron(
  chains: Chains,
  privateKey: string,
  call: { contract: Hex; data: Hex },
): Promise<Hex> {
  const node = tronNodeOf(chains)
  const signer = tronSigner(rawKeySigner(privateKey))
  salt += 1
  const { hash, raw } = await signer.sign(
    { ...call, feeLimitSun: MOST_FEE_SUN },
    await node.anchor(),
    {
      lifeMs: 600_000,
      salt: salt % 1_000,
    },
  )
  const answer = await node.broadcast(raw)
  if (!answer.isAccepted) throw new Error(`Tron refused a call: ${answer.detail}`)
  await chains.control.finalize()
  const status = await node.receipt(hash)
  if (status.kind !== 'final' || status.failure !== null) {
    throw new Error(`a call on Tron is ${status.kind === 'final' ? status.failure : status.kind}`)
  }
  return hash
}

/** Calls a contract on BSC with any key. @returns the hash of the transaction, which may have failed */
export async function callBsc(
  chains: Chains,
  privateKey: Hex,
  call: { to?: Hex; data: Hex; gas?: bigint },
): Promise<Hex> {
  const node = bscNodeOf(chains)
  const signer = evmSigner(rawKeySigner(privateKey), await node.chainId())
  const nonce = await node.nonceOf(signer.address, 'pending')
  const gasPrice = await node.gasPrice()
  const { hash, raw } = await signer.sign({ gas: 300_000n, ...call, nonce, gasPrice })
  const answer = await node.broadcast(raw)
  if (!answer.isAccepted) throw new Error(`BSC refused a call: ${answer.detail}`)
  return hash
}

/** Transfers USDT. */
export function sendUsdt(
  chains: Chains,
  from: Hex,
  transfer: { to: Hex; amount: bigint },
): Promise<Hex> {
  const data = encodeCall(tokenAbi, 'transfer', [transfer.to, transfer.amount])
  return callBsc(chains, from, { to: addressesOf(chains).usdt, data })
}

/** Mints development USDT with its owner's key. */
export function mintUsdt(chains: Chains, to: Hex, amount: bigint): Promise<Hex> {
  const data = encodeCall(devUsdtAbi, 'mint', [to, amount])
  return callBsc(chains, chains.serviceKeys.owner.bscPrivateKey, {
    to: addressesOf(chains).usdt,
    data,
  })
}

/** Deploys a vault of the owner's, for tests that need an empty or limited one. @returns its address in lower case */
export async function deployVault(
  chains: Chains,
  { operator, dailyLimit = 10n ** 27n }: { operator: Hex; dailyLimit?: bigint },
): Promise<Hex> {
  const { bscPrivateKey } = chains.serviceKeys.owner
  const owner = rawKeySigner(bscPrivateKey).address
  const nonce = await bscNodeOf(chains).nonceOf(owner, 'pending')
  const data = encodeDeployData({
    abi: payoutVaultAbi,
    bytecode: payoutVaultBytecode,
    args: [addressesOf(chains).usdt, owner, operator, dailyLimit],
  })
  await callBsc(chains, bscPrivateKey, { data, gas: 3_000_000n })
  return getContractAddress({ from: owner, nonce: BigInt(nonce) }).toLowerCase() as Hex
}

/** Opens and funds a plan on chain. */
export async function givenPlan(chains: Chains, plan = PLAN): Promise<void> {
  const args = [plan.code, BigInt(plan.durationDays), plan.totalBps] as const
  const data = encodeCall(rewardPoolAbi, 'openPlan', args)
  const contract = addressesOf(chains).rewardPool
  await callTron(chains, chains.serviceKeys.operator.tronPrivateKey, { contract, data })
  await chains.control.fundPlan({ planCode: plan.code, amount: '10000' })
}

export type Holder = { privateKey: Hex; address: Hex; tronAddress: string }

/** A new key without any funds. */
export function emptyAccount(): Holder {
  const privateKey = generatePrivateKey()
  const { address } = rawKeySigner(privateKey)
  const tronAddress = formatTronAddress(Buffer.from(address.slice(2), 'hex'))
  return { privateKey, address, tronAddress }
}

/** A new account with DCT and TRX. */
export async function givenHolder(chains: Chains): Promise<Holder> {
  const holder = emptyAccount()
  const { tronAddress } = holder
  await chains.control.faucet({ tronAddress, dct: '100', trx: '10000' })
  return holder
}

/** Locks DCT on chain. @returns the stake's id and the hash of the join */
export async function givenStake(
  chains: Chains,
  stake: { holder: Holder; amount: bigint; plan?: typeof PLAN },
): Promise<{ stakeId: bigint; txHash: Hex }> {
  const { token, staking } = addressesOf(chains)
  const plan = stake.plan ?? PLAN
  const key = stake.holder.privateKey.slice(2)
  const approve = encodeCall(tokenAbi, 'approve', [staking, stake.amount])
  await callTron(chains, key, { contract: token, data: approve })
  const args = [stake.amount, plan.code, BigInt(plan.durationDays)] as const
  const data = encodeCall(stakingAbi, 'joinStake', args)
  const txHash = await callTron(chains, key, { contract: staking, data })
  const status = await tronNodeOf(chains).receipt(txHash)
  const logs = status.kind === 'final' ? status.logs : []
  const [staked] = parseEventLogs({
    abi: stakingAbi,
    eventName: 'Staked',
    logs: logs as unknown as RpcLog[],
  })
  if (!staked) throw new Error('the join has no event')
  return { stakeId: staked.args.stakeId, txHash }
}

/** An address's DCT in base units at the latest final block. */
export async function dctOf(chains: Chains, address: Hex): Promise<bigint> {
  const { token } = addressesOf(chains)
  const data = encodeCall(tokenAbi, 'balanceOf', [address])
  const outcome = await tronNodeOf(chains).readFinal({ from: address, contract: token, data })
  return readBalance(outcome.succeeded ? outcome.output : '0x')
}

/** An address's USDT in base units at the latest block. */
export async function usdtOf(chains: Chains, address: Hex): Promise<bigint> {
  const { usdt } = addressesOf(chains)
  const data = encodeCall(tokenAbi, 'balanceOf', [address])
  const outcome = await bscNodeOf(chains).simulate({ from: address, to: usdt, data })
  return readBalance(outcome.succeeded ? outcome.output : '0x')
}

function readBalance(output: Hex): bigint {
  const abi: Abi = tokenAbi
  return decodeFunctionResult({ abi, functionName: 'balanceOf', data: output }) as bigint
}
