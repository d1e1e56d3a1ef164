import {
  type ChainReader,
  combineEvmNodes,
  combineTronNodes,
  type EvmNode,
  type NodeGroup,
  type TronNode,
} from '@dct/chain-clients'
import { encodeCall } from '@dct/chain-clients/senders/index'
import { rewardPoolAbi } from '@dct/contract-abi'
import { decodeFunctionResult, type Hex } from 'viem'
import { hexOf } from '../../modules/chain/index.ts'
import type { TermsOnChain } from '../../modules/plans/index.ts'
import { realClock } from '../../platform/clock.ts'
import { invariant } from '../../platform/errors.ts'
import type { Config } from '../config.ts'
import { tronHexOf } from '../tron-addresses.ts'
import { connectNodes } from './chain-nodes.ts'
import type { KnownNodes } from './node-alarms.ts'

/** Blocks are final after about a minute on Tron, after seconds on BSC. */
export const MAX_LAG_MS = { TRON: 5 * 60_000, BSC: 3 * 60_000 }
/** The state of a plan in the reward contract whose terms are not fixed yet. */
const UNOPENED = 0

/** Everything that talks to a node, and the contract addresses in the form that nodes expect. */
export type Chains = {
  tron: NodesOf<TronNode> & { token: Hex; staking: Hex; rewardPool: Hex }
  bsc: NodesOf<EvmNode> & OwnOnBsc & { usdt: Hex }
}

/** What fees are and were paid to, and referrers are paid from. */
export type OwnOnBsc = { receiver: Hex; formerReceivers: readonly Hex[]; vault: Hex }

type NodesOf<Node> = {
  /** All nodes together: `node` is what senders need, `reader` the part of it that reads. */
  node: Node
  reader: ChainReader
  /** The individual nodes. */
  readers: NodeGroup<ChainReader>
}

export function createChains(config: Config): Chains {
  const { tron, bsc } = config
  const nodes = connectNodes(config)
  // In devnet, block times are business time.
  const lagOf = (chain: 'TRON' | 'BSC') =>
    config.mode === 'live' ? { maxLagMs: MAX_LAG_MS[chain], now: () => realClock.now() } : undefined
  const tronNode = combineTronNodes(nodes.tron, lagOf('TRON'))
  const bscNode = combineEvmNodes(nodes.bsc, lagOf('BSC'))
  return {
    tron: {
      ...{ readers: nodes.tron, reader: tronNode, node: tronNode },
      token: tronHexOf(tron.token),
      staking: tronHexOf(tron.staking),
      rewardPool: tronHexOf(tron.rewardPool),
    },
    bsc: {
      ...{ readers: nodes.bsc, reader: bscNode, node: bscNode },
      usdt: lower(bsc.usdt),
      receiver: lower(bsc.receiver),
      formerReceivers: bsc.formerReceivers.map(lower),
      vault: lower(bsc.payoutVault),
    },
  }
}

/** What this process knows about its nodes, by chain. */
export function knownNodes({ tron, bsc }: Chains): KnownNodes {
  const standingsOf = ({ nodes }: NodeGroup<ChainReader>) => nodes.map(({ standing }) => standing)
  return { TRON: standingsOf(tron.readers), BSC: standingsOf(bsc.readers) }
}

/** The amount that a plan has been funded with on chain so far, in DCT base units. */
export async function readPlanFunded({ tron }: Chains, planCode: string): Promise<bigint> {
  const data = encodeCall(rewardPoolAbi, 'plans', [planCode])
  const output = await viewFinal(tron.node, { contract: tron.rewardPool, data })
  return decodeFunctionResult({ abi: rewardPoolAbi, functionName: 'plans', data: output }).funded
}

/** A plan's terms in the reward contract, and the limits that the contract's owner set, at the newest final block. */
export async function readTermsOnChain({ tron }: Chains, planCode: string): Promise<TermsOnChain> {
  const view = (data: Hex) => viewFinal(tron.node, { contract: tron.rewardPool, data })
  const [limits, plan] = await Promise.all([
    view(encodeCall(rewardPoolAbi, 'termLimits', [])),
    view(encodeCall(rewardPoolAbi, 'plans', [planCode])),
  ])
  const { state, durationDays, totalBps } = decodeFunctionResult({
    abi: rewardPoolAbi,
    functionName: 'plans',
    data: plan,
  })
  return {
    limits: decodeFunctionResult({ abi: rewardPoolAbi, functionName: 'termLimits', data: limits }),
    fixed: state === UNOPENED ? undefined : { durationDays, totalBps: BigInt(totalBps) },
  }
}

/** The state on Tron of a transaction that is not booked. */
export async function readTransactionState(
  { tron }: Chains,
  txHash: Buffer,
): Promise<'unknown' | 'pending' | 'failed'> {
  const hash = hexOf(txHash)
  const receipt = await tron.reader.receipt(hash)
  if (receipt.kind === 'final') return receipt.failure === null ? 'pending' : 'failed'
  return (await tron.reader.transaction(hash)) === null ? 'unknown' : 'pending'
}

async function viewFinal(node: TronNode, call: { contract: Hex; data: Hex }): Promise<Hex> {
  const outcome = await node.readFinal({ from: call.contract, ...call })
  invariant(outcome.succeeded, `a view of ${call.contract} reverted`)
  return outcome.output
}

function lower(address: Hex): Hex {
  return address.toLowerCase() as Hex
}
