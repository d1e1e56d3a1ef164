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
import { rewardPoolAbi, tokenAbi } from '@dct/contract-abi'
import { parseTronAddress } from '@dct/rules/addresses'
import { decodeFunctionResult, type Hex } from 'viem'
import { hexOf } from '../modules/chain/index.ts'
import { invariant } from '../platform/errors.ts'
import type { Config } from './config.ts'

const NODE_TIMEOUT_MS = 10_000

/** Everything that talks to a node, and the addresses in the form that nodes take. */
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

/** How many decimals the locked token has. Asked once at start. */
export async function readDctDecimals({ tron }: Chains): Promise<number> {
  const data = encodeCall(tokenAbi, 'decimals', [])
  const output = await viewFinal(tron.node, { contract: tron.token, data })
  return Number(decodeFunctionResult({ abi: tokenAbi, functionName: 'decimals', data: output }))
}

/** Whose key the reward contract takes payouts from. */
export async function readOperator({ tron }: Chains): Promise<Hex> {
  const data = encodeCall(rewardPoolAbi, 'operator', [])
  const output = await viewFinal(tron.node, { contract: tron.rewardPool, data })
  return lower(decodeFunctionResult({ abi: rewardPoolAbi, functionName: 'operator', data: output }))
}

/** The DCT that an address holds in the newest block. Throws when no node answers. */
export async function readDctBalance({ tron }: Chains, address: Buffer): Promise<bigint> {
  const owner = hexOf(address)
  const data = encodeCall(tokenAbi, 'balanceOf', [owner])
  const outcome = await tron.node.simulate({ from: owner, contract: tron.token, data })
  invariant(outcome.succeeded, 'the token does not tell a balance')
  return decodeFunctionResult({ abi: tokenAbi, functionName: 'balanceOf', data: outcome.output })
}

/** What a plan was funded with on chain so far, in DCT base units. */
export async function readPlanFunded({ tron }: Chains, planCode: string): Promise<bigint> {
  const data = encodeCall(rewardPoolAbi, 'plans', [planCode])
  const output = await viewFinal(tron.node, { contract: tron.rewardPool, data })
  return decodeFunctionResult({ abi: rewardPoolAbi, functionName: 'plans', data: output }).funded
}

/** What a Tron node says of a transaction that is not booked. */
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
  invariant(bytes !== undefined, 'settings hold valid addresses')
  return hexOf(Buffer.from(bytes))
}

function lower(address: Hex): Hex {
  return address.toLowerCase() as Hex
}
