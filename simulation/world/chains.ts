/** The two chains of a world, with their contracts, accounts and nodes. */
import { payoutVaultRuntime, rewardPoolRuntime, stakingRuntime } from '@dct/contract-abi/bytecode'
import { formatTronAddress } from '@dct/rules/addresses'
import { TRON_CHAIN_IDS } from '@dct/rules/tron-networks'
import { type Hex, keccak256, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { answerBsc } from '../chains/bsc-node.ts'
import { admitOnBsc, type BscState, GAS_PRICE, runOnBsc } from '../chains/bsc-state.ts'
import { SimulatedChain } from '../chains/chain.ts'
import { NodeView } from '../chains/json-rpc.ts'
import type { SimulatedNode } from '../chains/network.ts'
import { soundNode } from '../chains/node-faults.ts'
import { runOnTron, type TronState } from '../chains/tron-contracts.ts'
import { answerTronHttp, answerTronRpc } from '../chains/tron-node.ts'

const addressOf = (name: string): Hex => `0x${keccak256(stringToHex(name)).slice(26)}`
export const keyOf = (name: string): Hex => keccak256(stringToHex(`key of ${name}`))

const accounts = new Map<string, Hex>()
export function accountOf(name: string): Hex {
  const known = accounts.get(name)
  if (known !== undefined) return known
  const account = privateKeyToAccount(keyOf(name)).address.toLowerCase() as Hex
  accounts.set(name, account)
  return account
}

export const tronText = (address: Hex) => formatTronAddress(Buffer.from(address.slice(2), 'hex'))

export const PLACES = {
  token: addressOf('DCT'),
  staking: addressOf('Staking'),
  pool: addressOf('RewardPool'),
  usdt: addressOf('USDT'),
  vault: addressOf('PayoutVault'),
  pair: addressOf('pair of DCT and USDT'),
  pairUsdt: addressOf('USDT on Tron'),
  owner: accountOf('owner'),
  operator: accountOf('operator'),
  payout: accountOf('payout wallet'),
  receiver: addressOf('fee receiver'),
} as const

export const BSC_CHAIN_ID = 97
const FINALITY = 2
const PLENTY_SUN = 10n ** 15n
/** Base units of both tokens in the pair while DCT costs 1 USDT. */
export const MARKET = 10n ** 12n
const PLENTY_WEI = 10n ** 24n
/** The most that leaves the vault per day. */
const DAILY_LIMIT = 10_000n * 10n ** 18n

export type TwoChains = { tron: SimulatedChain<TronState>; bsc: SimulatedChain<BscState> }
export type Chains = TwoChains & {
  tronNodes: NodeView<TronState>[]
  bscNodes: NodeView<BscState>[]
}

export function createChains(time: number): TwoChains {
  const tron = new SimulatedChain<TronState>({
    name: 'TRON',
    finality: FINALITY,
    hashOf: (number, digest) => `0x${number.toString(16).padStart(16, '0')}${digest.slice(18)}`,
    execute: runOnTron,
    admits: (_state, { expiresAt }, block) =>
      expiresAt !== undefined && block.time >= expiresAt ? 'never' : 'now',
    first: firstTronState(),
    firstTime: time,
  })
  const bsc = new SimulatedChain<BscState>({
    name: 'BSC',
    finality: FINALITY,
    hashOf: (_number, digest) => digest,
    execute: runOnBsc,
    admits: admitOnBsc,
    first: firstBscState(),
    firstTime: time,
  })
  return { tron, bsc }
}

/** Each chain with this many nodes. */
export function withNodes({ tron, bsc }: TwoChains, nodes: { tron: number; bsc: number }): Chains {
  const count = (length: number) => Array.from({ length }, (_, at) => at)
  return {
    tron,
    bsc,
    tronNodes: count(nodes.tron).map((at) => new NodeView(tron, soundNode(`tron-${at}.sim`))),
    bscNodes: count(nodes.bsc).map((at) => new NodeView(bsc, soundNode(`bsc-${at}.sim`))),
  }
}

/** The settings of an installation whose price follows the pair. */
export const PAIR_SETTINGS: Readonly<Record<string, string>> = {
  PRICE_PAIR: tronText(PLACES.pair),
  PRICE_BOUNDS_USDT: '0.1-100',
  PRICE_MAX_AGE_HOURS: '2',
}

/** The nodes by their hosts, for the network. */
export function hostsOf({ tronNodes, bscNodes }: Chains): Map<string, SimulatedNode> {
  const codes = new Map([
    [PLACES.staking, stakingRuntime.code],
    [PLACES.pool, rewardPoolRuntime.code],
  ])
  const facts = { chainId: TRON_CHAIN_IDS.nile, codes }
  const bscFacts = {
    chainId: BSC_CHAIN_ID,
    codes: new Map([[PLACES.vault, payoutVaultRuntime.code]]),
  }
  const tron = tronNodes.map((view): [string, SimulatedNode] => [
    view.mood.name,
    {
      mood: view.mood,
      rpcPath: '/jsonrpc',
      rpc: (method, params) => answerTronRpc(view, facts, method, params),
      http: (path, body) => answerTronHttp(view, facts, path, body),
    },
  ])
  const bsc = bscNodes.map((view): [string, SimulatedNode] => [
    view.mood.name,
    {
      mood: view.mood,
      rpcPath: '/',
      rpc: (method, params) => answerBsc(view, bscFacts, method, params),
    },
  ])
  return new Map([...tron, ...bsc])
}

function firstTronState(): TronState {
  const { token, staking, pool, owner, operator } = PLACES
  return {
    token: { address: token, decimals: 6, balances: new Map(), allowances: new Map() },
    pool: {
      ...{ address: pool, owner, operator, staking, isPaused: false },
      limits: { maxDailyBps: 50n, minDurationDays: 30n },
      plans: new Map(),
      entitlements: new Map(),
    },
    staking: { address: staking, stakes: [] },
    pair: { address: PLACES.pair, usdt: PLACES.pairUsdt, reserves: { dct: MARKET, usdt: MARKET } },
    trx: new Map([
      [operator, PLENTY_SUN],
      [owner, PLENTY_SUN],
    ]),
  }
}

function firstBscState(): BscState {
  const { usdt, vault, owner, payout } = PLACES
  return {
    chainId: BSC_CHAIN_ID,
    usdt: { address: usdt, decimals: 18, balances: new Map(), allowances: new Map() },
    vault: {
      ...{ address: vault, owner, operator: payout, isPaused: false, dailyLimit: DAILY_LIMIT },
      ...{ today: 0n, paidToday: 0n, paid: new Map(), owed: new Map() },
    },
    bnb: new Map([[PLACES.payout, PLENTY_WEI]]),
    nonces: new Map(),
    leastGasPrice: GAS_PRICE,
  }
}
