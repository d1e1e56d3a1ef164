import {
  type ChainReader,
  createEvmReader,
  createQuorumReader,
  createTronReader,
} from '@dct/chain-clients'
import {
  createEvmNode,
  createTronNode,
  type EvmNode,
  encodeCall,
  type TronNode,
} from '@dct/chain-clients/senders/index'
import { rewardPoolAbi } from '@dct/contract-abi'
import { parseTronAddress } from '@dct/rules/addresses'
import { decodeFunctionResult, type Hex } from 'viem'
import { hexOf } from '../modules/chain/index.ts'
import type { TermsOnChain } from '../modules/plans/index.ts'
import { invariant } from '../platform/errors.ts'
import type { Config } from './config.ts'

const NODE_TIMEOUT_MS = 10_000
/** A plan of the reward contract without terms. */
const UNOPENED = 0

/** Everything that talks to a node, and the contract addresses in the form that nodes expect. */
export type Chains = {
  tron: { reader: ChainReader; node: TronNode; token: Hex; staking: Hex; rewardPool: Hex }
  bsc: { reader: ChainReader; node: EvmNode; usdt: Hex; receiver: Hex; payoutWallet: Hex }
}

export function createChains(config: Config): Chains {
  const { tron, bsc } = config
  const key = tron.apiKey === undefined ? {} : { apiKey: tron.apiKey }
  const tronReaders = tron.fullHosts.map((fullHost, index) =>
    createTronReader({
      fullHost,
      jsonRpc: tron.jsonRpcs[index] ?? tron.jsonRpcs[0] ?? '',
      timeoutMs: NODE_TIMEOUT_MS,
      ...key,
    }),
  )
  const bscReaders = bsc.rpcs.map((url) => createEvmReader({ url, timeoutMs: NODE_TIMEOUT_MS }))
  return {
    tron: {
      reader: createQuorumReader(tronReaders),
      node: createTronNode({ fullHosts: tron.fullHosts, timeoutMs: NODE_TIMEOUT_MS, ...key }),
      token: tronHexOf(tron.token),
      staking: tronHexOf(tron.staking),
      rewardPool: tronHexOf(tron.rewardPool),
    },
    bsc: {
      reader: createQuorumReader(bscReaders),
      node: createEvmNode({ rpcs: bsc.rpcs, timeoutMs: NODE_TIMEOUT_MS }),
      usdt: lower(bsc.usdt),
      receiver: lower(bsc.receiver),
      payoutWallet: lower(bsc.payoutAddress),
    },
  }
}

/** What a plan was funded with on chain so far, in DCT base units. */
export async function readPlanFunded({ tron }: Chains, planCode: string): Promise<bigint> {
  const data = encodeCall(rewardPoolAbi, 'plans', [planCode])
  const output = await viewFinal(tron.node, { contract: tron.rewardPool, data })
  return decodeFunctionResult({ abi: rewardPoolAbi, functionName: 'plans', data: output }).funded
}

/** A plan's terms in the reward contract, and the limits that its owner set, at the newest final block. */
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
  const receipt = await tron.reader.finalReceipt(hash)
  if (receipt !== null) return receipt.succeeded ? 'pending' : 'failed'
  return (await tron.reader.transaction(hash)) === null ? 'unknown' : 'pending'
}

async function viewFinal(node: TronNode, call: { contract: Hex; data: Hex }): Promise<Hex> {
  const outcome = await node.readFinal({ from: call.contract, ...call })
  invariant(outcome.succeeded, `a view of ${call.contract} reverted`)
  return outcome.output
}

function tronHexOf(address: string): Hex {
  const bytes = parseTronAddress(address)
  invariant(bytes !== undefined, 'settings contain valid addresses')
  return hexOf(Buffer.from(bytes))
}

function lower(address: Hex): Hex {
  return address.toLowerCase() as Hex
}
