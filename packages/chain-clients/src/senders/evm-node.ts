import { bytesToHex, type Hex, hexToBigInt, hexToNumber, numberToHex } from 'viem'
import { RpcRefusal } from '../nodes/failures.ts'
import { createJsonRpc } from '../nodes/json-rpc.ts'
import { createNodeClient, type NodeAccess } from '../nodes/node-client.ts'
import type { NodeGroup } from '../nodes/node-group.ts'
import type { CallOutcome } from './calls.ts'
import {
  ACCEPTED,
  agree,
  type BroadcastAnswer,
  broadcastToAll,
  type FinalLog,
  type TransactionStatus,
} from './final-status.ts'

export type EvmReadCall = { from: Hex; to: Hex; data: Hex }

export type EvmNode = {
  chainId(): Promise<number>
  /** How many transactions of the account are in blocks; `pending` adds the pending ones. */
  nonceOf(address: Hex, view: 'final' | 'latest' | 'pending'): Promise<number>
  /**
   * How many transactions of the account are in the blocks up to this one. Undefined when a node no longer has that
   * block's state.
   */
  nonceAt(address: Hex, blockNumber: bigint): Promise<number | undefined>
  balanceOf(address: Hex): Promise<bigint>
  gasPrice(): Promise<bigint>
  headNumber(): Promise<bigint>
  simulate(call: EvmReadCall): Promise<CallOutcome>
  /** Sends the bytes to every node. Does not throw when nodes refuse or do not answer. */
  broadcast(raw: Uint8Array): Promise<BroadcastAnswer>
  status(hash: Hex): Promise<TransactionStatus>
  /** The nonce of a mined or pending transaction; undefined when the first node that answers does not know it. */
  nonceOfTransaction(hash: Hex): Promise<number | undefined>
}

const VIEWS = { final: 'finalized', latest: 'latest', pending: 'pending' } as const

/**
 * Client of EVM nodes over JSON-RPC, with only what a sender needs. At least as many nodes as the group needs must
 * answer.
 */
export function createEvmNode(group: NodeGroup<EvmRpc>): EvmNode {
  const all = async <T>(ask: (rpc: EvmRpc) => Promise<T>) =>
    (await group.all(ask)).map(({ value }) => value)
  const first = <T>(ask: (rpc: EvmRpc) => Promise<T>) => group.first(ask)
  return {
    chainId: () => first(async (rpc) => hexToNumber(await rpc<Hex>('eth_chainId', []))),
    async nonceOf(address, view) {
      const counts = await all(async (rpc) =>
        hexToNumber(await rpc<Hex>('eth_getTransactionCount', [address, VIEWS[view]])),
      )
      // A nonce counts as used only when all nodes report it, and as free only when none does.
      return view === 'final' ? Math.min(...counts) : Math.max(...counts)
    },
    async nonceAt(address, blockNumber) {
      const counts = await all((rpc) => nonceAtBlock(rpc, address, blockNumber))
      const known = counts.filter((count) => count !== undefined)
      return known.length < counts.length ? undefined : Math.min(...known)
    },
    balanceOf: (address) =>
      first(async (rpc) => hexToBigInt(await rpc<Hex>('eth_getBalance', [address, 'latest']))),
    gasPrice: () => first(async (rpc) => hexToBigInt(await rpc<Hex>('eth_gasPrice', []))),
    async headNumber() {
      const heads = await all(async (rpc) => hexToNumber(await rpc<Hex>('eth_blockNumber', [])))
      return BigInt(Math.max(...heads))
    },
    simulate: (call) => first((rpc) => simulate(rpc, call)),
    broadcast: (raw) =>
      broadcastToAll(group, async (rpc) => {
        await rpc('eth_sendRawTransaction', [bytesToHex(raw)])
        return ACCEPTED
      }),
    async status(hash) {
      const answers = await all((rpc) => readStatus(rpc, hash))
      return agree(answers, group.required(answers.length))
    },
    async nonceOfTransaction(hash) {
      const found = await first((rpc) =>
        rpc<RpcTransaction | null>('eth_getTransactionByHash', [hash]),
      )
      return found === null ? undefined : hexToNumber(found.nonce)
    },
  }
}

type RpcTransaction = { nonce: Hex }
type RpcBlock = { number: Hex; hash: Hex; timestamp: Hex }
type RpcLog = { address: Hex; topics: Hex[]; data: Hex }
type RpcReceipt = {
  status: Hex
  blockNumber: Hex
  blockHash: Hex
  logs: RpcLog[]
  gasUsed: Hex
  effectiveGasPrice: Hex
}
export type EvmRpc = <T>(method: string, params: readonly unknown[]) => Promise<T>

/** Asks one EVM node. */
export function createEvmRpc(access: NodeAccess): EvmRpc {
  const rpc = createJsonRpc(createNodeClient(access))
  return async <T>(method: string, params: readonly unknown[]) => (await rpc(method, params)) as T
}

async function nonceAtBlock(
  rpc: EvmRpc,
  address: Hex,
  blockNumber: bigint,
): Promise<number | undefined> {
  try {
    const block = numberToHex(blockNumber)
    return hexToNumber(await rpc<Hex>('eth_getTransactionCount', [address, block]))
  } catch (error) {
    if (error instanceof RpcRefusal) return undefined
    throw error
  }
}

/** Error codes of EIP-1474, and of nodes in practice, that concern the call and not the node. */
const REVERT_CODES: readonly unknown[] = [3, -32_000, -32_015]

async function simulate(rpc: EvmRpc, call: EvmReadCall): Promise<CallOutcome> {
  try {
    const output = await rpc<Hex>('eth_call', [call, 'latest'])
    const used = hexToBigInt(await rpc<Hex>('eth_estimateGas', [call]))
    return { succeeded: true, used, output }
  } catch (error) {
    if (!(error instanceof RpcRefusal) || !REVERT_CODES.includes(error.code)) throw error
    const revert = typeof error.data === 'string' ? (error.data as Hex) : '0x'
    return { succeeded: false, revert, message: error.reason }
  }
}

/** Final means: at or below the final head, and the block at that height is still the receipt's. */
async function readStatus(rpc: EvmRpc, hash: Hex): Promise<TransactionStatus> {
  const receipt = await rpc<RpcReceipt | null>('eth_getTransactionReceipt', [hash])
  if (receipt === null) return { kind: 'unknown' }
  const head = await rpc<RpcBlock | null>('eth_getBlockByNumber', ['finalized', false])
  if (head === null || hexToBigInt(head.number) < hexToBigInt(receipt.blockNumber)) {
    return { kind: 'mined' }
  }
  const number = numberToHex(hexToBigInt(receipt.blockNumber))
  const block = await rpc<RpcBlock | null>('eth_getBlockByNumber', [number, false])
  if (block === null || block.hash !== receipt.blockHash) return { kind: 'mined' }
  const hasSucceeded = receipt.status === '0x1'
  return {
    kind: 'final',
    failure: hasSucceeded ? null : 'REVERT',
    blockNumber: hexToBigInt(block.number),
    blockTime: new Date(hexToNumber(block.timestamp) * 1000),
    logs: hasSucceeded ? receipt.logs.map(readLog) : [],
    fee: hexToBigInt(receipt.gasUsed) * hexToBigInt(receipt.effectiveGasPrice),
  }
}

/** Nodes differ in the case of addresses; answers that are compared must not. */
function readLog({ address, topics, data }: RpcLog): FinalLog {
  return { address: address.toLowerCase() as Hex, topics, data }
}
