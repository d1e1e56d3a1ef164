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
import { type OwnAddresses, ownAddresses } from '../modules/chain/index.ts'
import type { Db } from '../platform/database/db.ts'
import { comparePins } from '../platform/database/pins.ts'
import type { Chains, OwnOnBsc } from './chains/chains.ts'
import { type Network, networksOf, otherNetwork } from './chains/networks.ts'
import type { Config } from './config.ts'
import { StartError } from './start-error.ts'
import { shownTron } from './tron-addresses.ts'

/** What the contracts report about themselves. */
export type Installation = {
  dctDecimals: number
  /** 20 bytes as hex: the address whose key may make the reward contract pay. */
  operator: Hex
  /** 20 bytes as hex: the address whose key may make the vault pay. */
  payoutOperator: Hex
}

type OnChains = { config: Pick<Config, 'tron' | 'bsc'>; chains: Pick<Chains, 'tron' | 'bsc'> }
type InDatabase = {
  config: Pick<Config, 'tron' | 'bsc'>
  chains: { bsc: OwnOnBsc }
  db: Db
}

/** One thing that must be true of an installation. */
export type InstallationCheck<Given> = {
  /** Stable, because programs depend on it. */
  name: string
  /** The settings that it is about. */
  subject: string
  /**
   * Notes in `found` what later checks and the process need.
   * @returns what is right, in words
   * @throws StartError, PinMismatch, SchemaMismatch: what is wrong and how to fix it
   */
  check(given: Given, found: Partial<Installation>): Promise<string>
}

const CONTRACTS = 'TRON_STAKING, TRON_REWARD_POOL'

/** The contracts belong together and run the code of this version, and the books can count their tokens. */
export const CHAIN_CHECKS: readonly InstallationCheck<OnChains>[] = [
  {
    ...{ name: 'token.agreed', subject: 'TRON_TOKEN, BSC_USDT' },
    async check({ chains }) {
      await requireSameTokens(chains)
      return 'Every node reports the same decimals.'
    },
  },
  {
    ...{ name: 'token.dct', subject: 'TRON_TOKEN' },
    async check({ chains: { tron }, config }, found) {
      const decimals = await readDecimals(tron.reader, tron.token)
      if (decimals === undefined)
        throw new StartError(`TRON_TOKEN (${config.tron.token}) is not a token on this network.`)
      found.dctDecimals = decimals
      return `A token with ${decimals} decimals.`
    },
  },
  {
    ...{ name: 'contracts.bound', subject: CONTRACTS },
    async check({ chains: { tron } }, found) {
      found.operator = await requireContracts(tron)
      return 'The contracts name each other and the token.'
    },
  },
  {
    ...{ name: 'contracts.code', subject: CONTRACTS },
    async check({ chains: { tron } }) {
      await requireCode(tron)
      return 'The contracts run the code of this version.'
    },
  },
  {
    ...{ name: 'token.usdt', subject: 'BSC_USDT' },
    async check({ chains: { bsc }, config }) {
      const decimals = await readDecimals(bsc.reader, bsc.usdt)
      if (decimals === DECIMALS.USDT) return `A token with ${decimals} decimals.`
      const kind = decimals === undefined ? 'not a token' : `a token with ${decimals} decimals`
      throw new StartError(
        `BSC_USDT (${config.bsc.usdt}) is ${kind} on this network; USDT with ${DECIMALS.USDT} decimals is needed.`,
      )
    },
  },
  {
    ...{ name: 'vault', subject: 'BSC_PAYOUT_VAULT' },
    async check({ chains: { bsc } }, found) {
      found.payoutOperator = await requireVault(bsc)
      return `It is the vault of this version, and its operator is ${found.payoutOperator}.`
    },
  },
]

/** What a start requires of the chains. The doctor examines each node in more detail instead. */
export const START_CHECKS: readonly InstallationCheck<OnChains>[] = [
  {
    ...{ name: 'node.network', subject: 'TRON_FULL_HOST, BSC_RPC' },
    async check({ chains: { tron, bsc }, config }) {
      const networks = networksOf(config)
      await requireNetwork(tron.readers, networks.tron)
      await requireNetwork(bsc.readers, networks.bsc)
      await requireFinalView(tron.reader)
      return 'The nodes belong to the right networks.'
    },
  },
  ...CHAIN_CHECKS,
]

/** The database, whose schema is this version's, belongs to this installation. */
export const DATABASE_CHECKS: readonly InstallationCheck<InDatabase>[] = [
  {
    ...{ name: 'database.installation', subject: 'DATABASE_URL' },
    async check({ db, config }, { dctDecimals }) {
      await comparePins(db, pinsOf(config, dctDecimals))
      return 'It belongs to these chains and contracts, or to none yet.'
    },
  },
  {
    ...{ name: 'receiver.role', subject: 'BSC_RECEIVER' },
    async check({ db, config: { bsc }, chains }) {
      requireOneRole(await ownAddresses(db), chains.bsc)
      return `${bsc.receiver} is not the vault, and ${bsc.payoutVault} was never a receiver.`
    },
  },
]

/**
 * Makes the checks in their order: the start refuses at the first that fails, with an error that names the setting. The
 * doctor goes through the same lists and prints all of them.
 */
export async function requireAll<Given>(
  checks: readonly InstallationCheck<Given>[],
  given: Given,
): Promise<Partial<Installation>> {
  const found: Partial<Installation> = {}
  for (const one of checks) await one.check(given, found)
  return found
}

/** The chains and contracts that a database belongs to permanently, by their names in `pin`. */
export function pinsOf(
  { tron, bsc }: Pick<Config, 'tron' | 'bsc'>,
  dctDecimals: number | undefined,
): Record<string, string> {
  return {
    'Tron chain': `${tron.chainId}`,
    token: tron.token,
    'staking contract': tron.staking,
    'reward contract': tron.rewardPool,
    ...(dctDecimals === undefined ? {} : { 'decimals of the token': `${dctDecimals}` }),
    'BSC chain': `${bsc.chainId}`,
    'USDT contract': bsc.usdt.toLowerCase(),
    'payout vault': bsc.payoutVault.toLowerCase(),
  }
}

/** Transfers to a fee receiver are fees, and the vault pays by events of its own, so no address can ever be both. */
function requireOneRole(own: OwnAddresses, now: OwnOnBsc): void {
  if (own.fee_receiver.includes(now.vault)) {
    throw new StartError('BSC_PAYOUT_VAULT was a fee receiver of this installation: use another.')
  }
  const receivers = [now.receiver, ...now.formerReceivers]
  if (receivers.some((address) => own.payout_wallet.includes(address))) {
    throw new StartError('BSC_RECEIVER is the vault of this installation: use another.')
  }
}

/**
 * Requires the vault to run the code that this repository builds, and to hold the USDT of the settings.
 * @returns the address whose key may make it pay
 */
async function requireVault({
  reader,
  usdt,
  vault,
}: Pick<Chains['bsc'], 'reader' | 'usdt' | 'vault'>): Promise<Hex> {
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
async function requireSameTokens({ tron, bsc }: Pick<Chains, 'tron' | 'bsc'>): Promise<void> {
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
      `TRON_FULL_HOST must serve /walletsolidity (final data), and its JSON-RPC the same network: ${cause.message}`,
      { cause },
    )
  }
}

/** Requires the contracts to run the code that this repository builds. */
async function requireCode({ reader, staking, rewardPool }: Chains['tron']): Promise<void> {
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
async function requireContracts(tron: Chains['tron']): Promise<Hex> {
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
