import type { Hex } from 'viem'
import { NodeUnavailable, RpcRefusal } from '../nodes/failures.ts'
import {
  createJsonRpc,
  fieldsOf,
  type JsonRpc,
  quantity,
  toBigInt,
  toHex,
} from '../nodes/json-rpc.ts'
import { createNodeClient, type NodeAccess } from '../nodes/node-client.ts'
import {
  type BlockRef,
  CallFailed,
  type ChainReader,
  type FinalReceipt,
  hasMatch,
  type KnownTransaction,
} from './chain-reader.ts'
import { createLogReader } from './log-reader.ts'
import { readBlock, toLogEntry } from './read-rpc.ts'

/** Reads BSC, or any EVM chain whose nodes support the `finalized` tag, over JSON-RPC. */
export function createEvmReader(node: NodeAccess): ChainReader {
  const rpc = createJsonRpc(createNodeClient(node))
  const finalHead = () => readFinalHead(rpc)
  return {
    chainId: () => readChainId(rpc),
    finalHead,
    async headNumber() {
      return toBigInt(await rpc('eth_blockNumber', []))
    },
    block: (number) => readBlock(rpc, number),
    ...createLogReader(rpc),
    async code(address) {
      return toHex(await rpc('eth_getCode', [address, 'latest']))
    },
    finalReceipt: (txHash) => readFinalReceipt(rpc, txHash),
    async receiptsIn(block, filters) {
      const receipts = await rpc('eth_getBlockReceipts', [quantity(block)])
      if (!Array.isArray(receipts))
        throw new NodeUnavailable('the receipts of a block are not a list')
      return receipts
        .map((receipt) => receiptOf(fieldsOf(receipt)))
        .filter((receipt) => hasMatch(receipt, filters))
    },
    transaction: (txHash) => readTransaction(rpc, txHash),
    async finalCall(calls, given) {
      const at = given ?? (await finalHead())
      const results = await Promise.all(calls.map((call) => callAt(rpc, call, at)))
      return { at, results }
    },
  }
}

/** The error code of geth and its forks for a call that reverts. */
const REVERTED = 3

async function callAt(rpc: JsonRpc, call: { to: Hex; data: Hex }, at: BlockRef): Promise<Hex> {
  try {
    return toHex(await rpc('eth_call', [call, quantity(at.number)]))
  } catch (error) {
    if (!(error instanceof RpcRefusal) || error.code !== REVERTED) throw error
    throw new CallFailed(error.message, { cause: error })
  }
}

export async function readChainId(rpc: JsonRpc): Promise<number> {
  return Number(toBigInt(await rpc('eth_chainId', [])))
}

async function readFinalHead(rpc: JsonRpc): Promise<BlockRef> {
  const head = await readBlock(rpc, 'finalized')
  if (head === null) throw new NodeUnavailable('the node has no final block')
  return head
}

async function readFinalReceipt(rpc: JsonRpc, txHash: Hex): Promise<FinalReceipt | null> {
  const receipt = await rpc('eth_getTransactionReceipt', [txHash])
  if (receipt === null) return null
  const fields = fieldsOf(receipt)
  const blockNumber = toBigInt(fields.blockNumber)
  const [head, block] = await Promise.all([readFinalHead(rpc), readBlock(rpc, blockNumber)])
  if (head.number < blockNumber || block?.hash !== toHex(fields.blockHash)) return null
  return receiptOf(fields)
}

function receiptOf(fields: Readonly<Record<string, unknown>>): FinalReceipt {
  const succeeded = toBigInt(fields.status) === 1n
  const logs = Array.isArray(fields.logs) ? fields.logs : []
  return {
    txHash: toHex(fields.transactionHash),
    blockNumber: toBigInt(fields.blockNumber),
    succeeded,
    logs: succeeded ? logs.map((log) => toLogEntry(fieldsOf(log))) : [],
  }
}

async function readTransaction(rpc: JsonRpc, txHash: Hex): Promise<KnownTransaction | null> {
  const found = await rpc('eth_getTransactionByHash', [txHash])
  if (found === null) return null
  const { from, to, input } = fieldsOf(found)
  return {
    hash: txHash,
    from: toHex(from),
    to: to === null || to === undefined ? null : toHex(to),
    input: toHex(input),
  }
}
