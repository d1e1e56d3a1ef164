import { CallFailed, type ChainReader, type NodeGroup, NodeUnavailable } from '@dct/chain-clients'
import { encodeCall } from '@dct/chain-clients/senders/index'
import { payoutVaultAbi, rewardPoolAbi, stakingAbi, tokenAbi } from '@dct/contract-abi'
import {
  isCodeOf,
  payoutVaultRuntime,
  rewardPoolRuntime,
  stakingRuntime,
} from '@dct/contract-abi/bytecode'
import { DECIMALS } from '@dct/money'
import { type Abi, decodeFunctionResult, type Hex } from 'viem'
import type { Chains } from './chains/chains.ts'
import { type Network, networksOf, otherNetwork } from './chains/networks.ts'
import type { Config } from './config.ts'
import { StartError } from './start-error.ts'
import { shownTron } from './tron-addresses.ts'

/** What the contracts report about themselves. */
export type Installation = {
  dctDecimals: number
  /** 20 bytes as hex: the address whose key may make the reward contract pay. */
  operator: Hex
}

/**
 * Compares the settings that name nodes and contracts with what the chains answer: the right networks, contracts that
 * belong together, a USDT token with the decimals that the books use.
 * @throws StartError that names the setting that does not match
 */
export async function checkInstallation(
  chains: Pick<Chains, 'tron' | 'bsc'>,
  config: Pick<Config, 'tron' | 'bsc'>,
): Promise<Installation> {
  const { tron, bsc } = chains
  const networks = networksOf(config)
  await requireNetwork(tron.readers, networks.tron)
  await requireNetwork(bsc.readers, networks.bsc)
  await requireFinalView(tron.reader)
  await requireSameTokens(chains)
  const dctDecimals = await requireDct(chains, config)
  const operator = await requireContracts(tron)
  await requireCode(tron)
  await requireUsdt(chains, config)
  await requireVault(chains.bsc)
  return { dctDecimals, operator }
}

type Given = [chains: Pick<Chains, 'tron' | 'bsc'>, config: Pick<Config, 'tron' | 'bsc'>]

/** @returns the decimals of the token */
export async function requireDct(...[{ tron }, config]: Given): Promise<number> {
  const decimals = await readDecimals(tron.reader, tron.token)
  if (decimals !== undefined) return decimals
  throw new StartError(`TRON_TOKEN (${config.tron.token}) is not a token on this network.`)
}

export async function requireUsdt(...[{ bsc }, config]: Given): Promise<void> {
  const decimals = await readDecimals(bsc.reader, bsc.usdt)
  if (decimals === DECIMALS.USDT) return
  const found = decimals === undefined ? 'not a token' : `a token with ${decimals} decimals`
  throw new StartError(
    `BSC_USDT (${config.bsc.usdt}) is ${found} on this network; USDT with ${DECIMALS.USDT} decimals is needed.`,
  )
}

/**
 * Requires the vault to run the code that this repository builds, and to hold the USDT of the settings.
 * @returns the address whose key may make it pay; undefined without a vault
 */
export async function requireVault({
  reader,
  usdt,
  vault,
}: Pick<Chains['bsc'], 'reader' | 'usdt' | 'vault'>): Promise<Hex | undefined> {
  if (vault === undefined) return undefined
  if (!isCodeOf(await reader.code(vault), payoutVaultRuntime)) {
    throw new StartError(
      `BSC_PAYOUT_VAULT (${vault}) is not the vault that this version was built with.`,
    )
  }
  const ask = viewsOf(reader)
  const addressIn = async (view: string) =>
    `${await ask(vault, payoutVaultAbi, view)}`.toLowerCase() as Hex
  const token = await addressIn('token')
  if (token !== usdt) {
    throw new StartError(`BSC_PAYOUT_VAULT pays the token ${token}, and BSC_USDT is ${usdt}.`)
  }
  return addressIn('operator')
}

/** Checks every node; one that does not answer is tolerated as long as enough others do. */
async function requireNetwork(nodes: NodeGroup<ChainReader>, network: Network): Promise<void> {
  const answers = await nodes.all((reader) => otherNetwork(reader, network), nodes.nodes)
  for (const { standing, value } of answers) {
    if (value === undefined) continue
    throw new StartError(`${network.setting} names ${standing.name}, ${value}.`)
  }
}

/** Requires all nodes to report the same decimals of each token. @throws StartError that names the nodes that differ */
export async function requireSameTokens({
  tron,
  bsc,
}: Pick<Chains, 'tron' | 'bsc'>): Promise<void> {
  const tokens = [
    { setting: 'TRON_TOKEN', nodes: tron.readers, token: tron.token },
    { setting: 'BSC_USDT', nodes: bsc.readers, token: bsc.usdt },
  ]
  for (const { setting, nodes, token } of tokens) {
    const answers = await nodes.all((reader) => readDecimals(reader, token))
    const [first] = answers
    const other = answers.find(({ value }) => value !== first?.value)
    if (first === undefined || other === undefined) continue
    const words = [first, other].map(
      ({ standing, value }) => `${standing.name}: ${value ?? 'no token'}`,
    )
    throw new StartError(
      `${setting} has different decimals at different nodes (${words.join(', ')}).`,
    )
  }
}

/** The decimals of a token at one node; undefined if there is no such token. */
export async function readDecimals(reader: ChainReader, token: Hex): Promise<number | undefined> {
  const found = await viewsOf(reader)(token, tokenAbi, 'decimals')
  return typeof found === 'number' ? found : undefined
}

/** Checks that the provider also serves `/walletsolidity`: without it, nothing can be known to be final. */
async function requireFinalView(reader: ChainReader): Promise<void> {
  try {
    await reader.finalHead()
  } catch (cause) {
    if (!(cause instanceof NodeUnavailable)) throw cause
    throw new StartError(
      `TRON_FULL_HOST must serve /walletsolidity (final data), and TRON_JSON_RPC the same network: ${cause.message}`,
      { cause },
    )
  }
}

/** Requires the contracts to run the code that this repository builds. */
export async function requireCode({ reader, staking, rewardPool }: Chains['tron']): Promise<void> {
  const contracts = [
    { setting: 'TRON_STAKING', address: staking, runtime: stakingRuntime },
    { setting: 'TRON_REWARD_POOL', address: rewardPool, runtime: rewardPoolRuntime },
  ]
  for (const { setting, address, runtime } of contracts) {
    if (isCodeOf(await reader.code(address), runtime)) continue
    throw new StartError(
      `${setting} (${shownTron(address)}) runs other code than this version was built with: name the contract that belongs to this version, or start the version that belongs to the contract.`,
    )
  }
}

/** Returns a function that calls a view without arguments; undefined if there is no such contract or view. */
export function viewsOf(
  reader: ChainReader,
): (contract: Hex, abi: Abi, view: string) => Promise<unknown> {
  return async (contract, abi, view) => {
    try {
      const call = { to: contract, data: encodeCall(abi, view, []) }
      const [data = '0x'] = (await reader.finalCall([call])).results
      return decodeFunctionResult({ abi, functionName: view, data })
    } catch (error) {
      // An outage says nothing about the contract; any other error means that it has no such view.
      if (error instanceof NodeUnavailable && !(error instanceof CallFailed)) throw error
      return undefined
    }
  }
}

/** Requires the staking contract and the reward pool to name each other, and the token. @returns the pool's operator */
export async function requireContracts(tron: Chains['tron']): Promise<Hex> {
  const ask = viewsOf(tron.reader)
  const addressIn = async (contract: Hex, abi: Abi, view: string) => {
    const found = await ask(contract, abi, view)
    return typeof found === 'string' ? (found.toLowerCase() as Hex) : undefined
  }
  const { token, staking, rewardPool } = tron
  const [pool, stakingToken, bound, operator] = [
    await addressIn(staking, stakingAbi, 'rewardPool'),
    await addressIn(staking, stakingAbi, 'token'),
    await addressIn(rewardPool, rewardPoolAbi, 'staking'),
    await addressIn(rewardPool, rewardPoolAbi, 'operator'),
  ]
  const isStaking = pool !== undefined && stakingToken !== undefined
  if (!isStaking || bound === undefined || operator === undefined) {
    const isSwapped =
      (await addressIn(rewardPool, stakingAbi, 'rewardPool')) === staking &&
      (await addressIn(staking, rewardPoolAbi, 'staking')) === rewardPool
    if (isSwapped) {
      throw new StartError('TRON_STAKING and TRON_REWARD_POOL are swapped: exchange the two.')
    }
    const [setting, address] = isStaking
      ? ['TRON_REWARD_POOL', rewardPool]
      : ['TRON_STAKING', staking]
    throw new StartError(`${setting} (${shownTron(address)}) is not this product's contract.`)
  }
  requireSame('TRON_STAKING pays from the reward pool', pool, ['TRON_REWARD_POOL', rewardPool])
  requireSame('TRON_REWARD_POOL serves the staking contract', bound, ['TRON_STAKING', staking])
  requireSame('TRON_STAKING locks the token', stakingToken, ['TRON_TOKEN', token])
  return operator
}

function requireSame(what: string, found: Hex, [setting, wanted]: readonly [string, Hex]): void {
  if (found === wanted) return
  throw new StartError(`${what} ${shownTron(found)}, and ${setting} is ${shownTron(wanted)}.`)
}
