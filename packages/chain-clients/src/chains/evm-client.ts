import { bytesToHex, type Hex } from 'viem'
import { bytes, count, list, object, or, orNull, quantity, that } from '../nodes/decode.ts'
import { CallFailed, NodeUnavailable, NodeUnfit, RpcRefusal, StateGone } from '../nodes/failures.ts'
import { createJsonRpc, type JsonRpc, quantityOf } from '../nodes/json-rpc.ts'
import { createNodeClient, type NodeAccess } from '../nodes/node-client.ts'
import { type BroadcastAnswer, broadcastWith } from './broadcast.ts'
import type { CallOutcome } from './calls.ts'
import {
  type BlockRef,
  type ChainReader,
  hasMatch,
  type Outcome,
  type Receipt,
  type ViewCall,
} from './chain-reader.ts'
import { createLogReader } from './log-reader.ts'
import { LOG_ENTRY, readBlock, readChainId, readHeadNumber } from './rpc-replies.ts'

export type EvmReadCall = { from: Hex; to: Hex; data: Hex }

/** BSC, or any EVM chain whose nodes support the `finalized` tag: what can be read, and what a sender needs. */
export type EvmNode = ChainReader & {
  /** How many transactions of the account are in blocks; `pending` adds the pending ones. */
  nonceOf(address: Hex, view: 'final' | 'latest' | 'pending'): Promise<number>
  /**
   * How many transactions of the account are in the blocks up to this one. Undefined when that block's state is not
   * available any more.
   */
  nonceAt(address: Hex, blockNumber: bigint): Promise<number | undefined>
  balanceOf(address: Hex): Promise<bigint>
  gasPrice(): Promise<bigint>
  simulate(call: EvmReadCall): Promise<CallOutcome>
  /** Does not throw when a node refuses or does not answer. */
  broadcast(raw: Uint8Array): Promise<BroadcastAnswer>
}

const VIEWS = { final: 'finalized', latest: 'latest', pending: 'pending' } as const

/** Asks one EVM node over JSON-RPC. */
export function createEvmClient(access: NodeAccess): EvmNode {
  const rpc = createJsonRpc(createNodeClient(access))
  const finalHead = () => readFinalHead(rpc)
  return {
    chainId: () => readChainId(rpc),
    finalHead,
    headNumber: () => readHeadNumber(rpc),
    block: (number) => readBlock(rpc, number),
    ...createLogReader(rpc),
    code: (address) => rpc('eth_getCode', [address, 'latest'], bytes()),
    receipt: (txHash) => readReceipt(rpc, txHash),
    receiptsIn: async (block, filters) =>
      (await readReceiptsIn(rpc, block)).filter((receipt) => hasMatch(receipt, filters)),
    transaction: (txHash) => readTransaction(rpc, txHash),
    async finalCall(calls, given) {
      const at = given ?? (await finalHead())
      const results = await Promise.all(calls.map((call) => callAt(rpc, call, at)))
      return { at, results }
    },
    nonceOf: (address, view) => rpc('eth_getTransactionCount', [address, VIEWS[view]], count),
    nonceAt: (address, blockNumber) => readNonceAt(rpc, address, blockNumber),
    balanceOf: (address) => rpc('eth_getBalance', [address, 'latest'], quantity),
    gasPrice: () => rpc('eth_gasPrice', [], quantity),
    simulate: (call) => simulate(rpc, call),
    broadcast: (raw) =>
      broadcastWith(async () => {
        await rpc('eth_sendRawTransaction', [bytesToHex(raw)], bytes(32))
      }),
  }
}

async function readFinalHead(rpc: JsonRpc): Promise<BlockRef> {
  const head = await readBlock(rpc, 'finalized')
  if (head === null) throw new NodeUnavailable('the node has no final block')
  return head
}

/** 1 for success, 0 for failure: nothing else is a status. */
const status = that(quantity, (found) => found <= 1n, 'a status')

const RECEIPT = object({
  ...{ transactionHash: bytes(32), blockNumber: quantity, blockHash: bytes(32), status },
  ...{ logs: list(LOG_ENTRY), gasUsed: quantity, effectiveGasPrice: quantity },
})

function outcomeOf(receipt: ReturnType<typeof RECEIPT>): Outcome {
  const { transactionHash: txHash, blockNumber, logs } = receipt
  const fee = receipt.gasUsed * receipt.effectiveGasPrice
  return receipt.status === 1n
    ? { txHash, blockNumber, failure: null, logs, fee }
    : { txHash, blockNumber, failure: 'REVERT', logs: [], fee }
}

/** Final means: at or below the final head, and in the block at that height. */
async function readReceipt(rpc: JsonRpc, txHash: Hex): Promise<Receipt> {
  const right = that(RECEIPT, (one) => one.transactionHash === txHash, `the receipt of ${txHash}`)
  const receipt = await rpc('eth_getTransactionReceipt', [txHash], orNull(right))
  if (receipt === null) return { kind: 'unknown' }
  const { blockNumber, blockHash } = receipt
  const [head, block] = await Promise.all([readFinalHead(rpc), readBlock(rpc, blockNumber)])
  if (head.number < blockNumber) return { kind: 'mined' }
  if (block?.hash !== blockHash) {
    throw new NodeUnfit(`${rpc.host}: the receipt of ${txHash} names another block ${blockNumber}`)
  }
  return { kind: 'final', blockTime: block.time, ...outcomeOf(receipt) }
}

async function readReceiptsIn(rpc: JsonRpc, block: bigint): Promise<Outcome[]> {
  const right = that(RECEIPT, (one) => one.blockNumber === block, `a receipt of block ${block}`)
  const receipts = await rpc('eth_getBlockReceipts', [quantityOf(block)], list(right))
  return receipts.map(outcomeOf)
}

const TRANSACTION = object({
  ...{ hash: bytes(32), from: bytes(20), to: or(orNull(bytes(20)), null) },
  ...{ input: bytes(), nonce: count },
})

function readTransaction(rpc: JsonRpc, txHash: Hex) {
  const right = that(TRANSACTION, ({ hash }) => hash === txHash, `transaction ${txHash}`)
  return rpc('eth_getTransactionByHash', [txHash], orNull(right))
}

async function callAt(rpc: JsonRpc, call: ViewCall, at: BlockRef): Promise<Hex> {
  try {
    const output = await rpc('eth_call', [call, quantityOf(at.number)], bytes())
    if (output === '0x') throw new CallFailed(`a view of ${call.to} returned nothing`)
    return output
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error
    throw new CallFailed(error.message, { cause: error })
  }
}

async function readNonceAt(
  rpc: JsonRpc,
  address: Hex,
  blockNumber: bigint,
): Promise<number | undefined> {
  try {
    return await rpc('eth_getTransactionCount', [address, quantityOf(blockNumber)], count)
  } catch (error) {
    if (error instanceof StateGone) return undefined
    throw error
  }
}

async function simulate(rpc: JsonRpc, call: EvmReadCall): Promise<CallOutcome> {
  try {
    const output = await rpc('eth_call', [call, 'latest'], bytes())
    const used = await rpc('eth_estimateGas', [call, 'latest'], quantity)
    return { succeeded: true, used, output }
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error
    return { succeeded: false, revert: error.revert, message: error.reason }
  }
}
