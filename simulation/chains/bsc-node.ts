/** A BSC node's JSON-RPC, as far as the service uses it. */

import { type Hex, keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import { Reverted } from './abi.ts'
import { type BscState, callBsc, GAS, offeredGasPrice } from './bsc-state.ts'
import type { Block, Included } from './chain.ts'
import { copyOf } from './copy.ts'
import { answerCommon, hex, type NodeView, numberOf, RpcError } from './json-rpc.ts'

type View = NodeView<BscState>

/** The code of contracts, by address. */
export type BscNodeFacts = { chainId: number; codes: ReadonlyMap<Hex, string> }

export async function answerBsc(
  view: View,
  { chainId, codes }: BscNodeFacts,
  method: string,
  params: readonly unknown[],
) {
  const common = answerCommon(view, chainId, method, params)
  if (common !== undefined) return common.result
  const [first] = params
  switch (method) {
    case 'eth_getCode':
      return codes.get(lower(first)) ?? '0x60'
    case 'eth_gasPrice':
      return hex(offeredGasPrice(view.chain.state))
    case 'eth_estimateGas':
      simulate(view, first, 'latest')
      return hex(GAS)
    case 'eth_call':
      return simulate(view, first, String(params[1]))
    case 'eth_getBalance':
      return hex(stateAt(view, String(params[1])).bnb.get(lower(first)) ?? 0n)
    case 'eth_getTransactionCount':
      return hex(nonceOf(view, lower(first), String(params[1])))
    case 'eth_sendRawTransaction':
      return send(view, first as Hex)
    default:
      return answerTransactions(view, method, first)
  }
}

const lower = (address: unknown) => String(address).toLowerCase() as Hex

function answerTransactions(view: View, method: string, which: unknown) {
  switch (method) {
    case 'eth_getTransactionReceipt': {
      const found = view.find(which as Hex)
      return found === undefined ? null : receiptJson(found.block, found.included)
    }
    case 'eth_getBlockReceipts': {
      const block = view.block(numberOf(view, String(which)))
      return block === undefined
        ? null
        : view.includedIn(block).map((one) => receiptJson(block, one))
    }
    case 'eth_getTransactionByHash': {
      const known = view.find(which as Hex)?.included ?? view.waiting(which as Hex)
      if (known === undefined) return null
      const { hash, from, to, data, nonce = 0 } = known
      return { hash, from, to, input: data, nonce: hex(nonce) }
    }
    default:
      throw new RpcError(-32_601, `the method ${method} does not exist/is not available`)
  }
}

function stateAt(view: View, tag: string): BscState {
  const state = view.block(numberOf(view, tag))?.state
  if (state === undefined) throw new RpcError(-32_000, 'missing trie node')
  return state
}

function simulate(view: View, call: unknown, tag: string): Hex {
  const { from, to, data } = call as { from?: Hex; to: Hex; data: Hex }
  try {
    const asked = { from: lower(from ?? '0x'), to: lower(to), data }
    const block = view.block(numberOf(view, tag))
    return callBsc(copyOf(stateAt(view, tag)), { ...asked, time: block?.time ?? 0 }).output
  } catch (error) {
    if (!(error instanceof Reverted)) throw error
    throw new RpcError(3, `execution reverted: ${error.message}`, error.data)
  }
}

function nonceOf(view: View, account: Hex, tag: string): number {
  const mined = stateAt(view, tag).nonces.get(account) ?? 0
  if (tag !== 'pending') return mined
  const waiting = view.chain.waiting.filter(({ from }) => from === account)
  let next = mined
  while (waiting.some(({ nonce }) => nonce === next)) next += 1
  return next
}

/** A replacement must pay a tenth more. */
const LEAST_BUMP = 110n

async function send(view: View, raw: Hex): Promise<Hex> {
  const { chain } = view
  const parsed = parseTransaction(raw)
  const hash = keccak256(raw)
  const from = lower(
    await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` }),
  )
  const {
    nonce = 0,
    to,
    data = '0x',
    gasPrice = 0n,
  } = parsed as { nonce?: number; to?: Hex; data?: Hex; gasPrice?: bigint }
  if (nonce < (chain.state.nonces.get(from) ?? 0)) throw new RpcError(-32_000, 'nonce too low')
  if (chain.find(hash) !== undefined || view.waiting(hash) !== undefined)
    throw new RpcError(-32_000, 'already known')
  const rival = chain.waiting.find((one) => one.from === from && one.nonce === nonce)
  if (rival !== undefined && gasPrice * 100n < (rival.gasPrice ?? 0n) * LEAST_BUMP) {
    throw new RpcError(-32_000, 'replacement transaction underpriced')
  }
  if ((chain.state.bnb.get(from) ?? 0n) < GAS * gasPrice) {
    throw new RpcError(-32_000, 'insufficient funds for gas * price + value')
  }
  if (rival !== undefined) chain.waiting = chain.waiting.filter((one) => one !== rival)
  chain.send({ hash, from, to: lower(to), data, nonce, gasPrice })
  return hash
}

function receiptJson({ number, hash: blockHash }: Block<BscState>, one: Included) {
  return {
    ...{
      transactionHash: one.hash,
      blockNumber: hex(number),
      blockHash,
      from: one.from,
      to: one.to,
    },
    status: one.succeeded ? '0x1' : '0x0',
    ...{ gasUsed: hex(GAS), effectiveGasPrice: hex(one.gasPrice ?? 0n) },
    logs: one.logs.map(({ address, topics, data }, at) => ({
      ...{ address, topics, data, transactionHash: one.hash, blockNumber: hex(number), blockHash },
      ...{ logIndex: hex(at), removed: false },
    })),
  }
}
