/** A Tron full node: its HTTP API and its JSON-RPC, as far as the service and wallets use them. */

import { type Hex, stringToHex } from 'viem'
import { Reverted } from './abi.ts'
import type { Block, Included } from './chain.ts'
import { copyOf } from './copy.ts'
import { answerCommon, type NodeView, RpcError } from './json-rpc.ts'
import { readTronTransaction } from './tron-bytes.ts'
import { callTron, ENERGY, ENERGY_SUN, type TronState } from './tron-contracts.ts'

type View = NodeView<TronState>
type Body = Readonly<Record<string, unknown>>
const bare = (value: string) => value.replace(/^0x/, '')
const prefixed = (address: Hex) => `41${bare(address)}`
const withoutPrefix = (address: unknown) => `0x${String(address).slice(2).toLowerCase()}` as Hex

export type TronNodeFacts = { chainId: number; codes: ReadonlyMap<Hex, string> }

export function answerTronRpc(
  view: View,
  { chainId }: TronNodeFacts,
  method: string,
  params: readonly unknown[],
) {
  const common = answerCommon(view, chainId, method, params)
  if (common === undefined)
    throw new RpcError(-32_601, `the method ${method} does not exist/is not available`)
  return common.result
}

/** Answers a POST to `/wallet…`; `/walletsolidity` knows only what is final. */
export function answerTronHttp(
  view: View,
  facts: TronNodeFacts,
  path: string,
  body: Body,
): unknown {
  const [, service, call] = path.split('/')
  const isSolid = service === 'walletsolidity'
  const newest = isSolid ? view.finalNumber : view.headNumber
  switch (call) {
    case 'getnowblock':
      return blockJson(view.block(newest))
    case 'getblockbynum':
      return Number(body.num ?? 0) <= newest ? blockJson(view.block(Number(body.num ?? 0))) : {}
    case 'gettransactioninfobyid':
      return infoOf(view, String(body.value), newest)
    case 'gettransactioninfobyblocknum': {
      const block = Number(body.num) <= newest ? view.block(Number(body.num)) : undefined
      return block?.included.map((one) => infoJson(block, one)) ?? []
    }
    case 'gettransactionbyid':
      return transactionOf(view, String(body.value), isSolid ? newest : undefined)
    case 'triggerconstantcontract':
      return constantCall(view, body, newest)
    case 'getcontractinfo':
    case 'getcontract':
      return codeOf(facts, withoutPrefix(body.value))
    case 'broadcasthex':
      return broadcast(view, String(body.transaction))
    default:
      return accountCalls(view, call ?? '', body)
  }
}

function accountCalls(view: View, call: string, body: Body): unknown {
  const trx = view.chain.state.trx.get(withoutPrefix(body.address))
  switch (call) {
    case 'getaccount':
      return trx === undefined ? {} : { address: body.address, balance: Number(trx) }
    case 'getaccountresource':
      return { freeNetLimit: 600 }
    case 'getchainparameters':
      return {
        chainParameter: [
          { key: 'getEnergyFee', value: Number(ENERGY_SUN) },
          { key: 'getTransactionFee', value: 1_000 },
        ],
      }
    default:
      return { Error: `no call ${call}` }
  }
}

function blockJson(block: Block<TronState> | undefined) {
  if (block === undefined) return {}
  const { number, hash, parent, time } = block
  const raw = { ...(number > 0 && { number }), timestamp: time, parentHash: bare(parent) }
  return { blockID: bare(hash), block_header: { raw_data: raw } }
}

function infoOf(view: View, id: string, newest: number) {
  const found = view.find(`0x${id}`)
  return found === undefined || found.block.number > newest
    ? {}
    : infoJson(found.block, found.included)
}

function infoJson(block: Block<TronState>, { hash, to, succeeded, failure, logs, fee }: Included) {
  return {
    id: bare(hash),
    fee: Number(fee),
    blockNumber: block.number,
    blockTimeStamp: block.time,
    contract_address: prefixed(to),
    receipt: { energy_usage_total: Number(ENERGY), result: succeeded ? 'SUCCESS' : failure },
    ...(!succeeded && { result: 'FAILED' }),
    ...(logs.length > 0 && {
      log: logs.map(({ address, topics, data }) => ({
        address: bare(address),
        topics: topics.map(bare),
        ...(data !== '0x' && { data: bare(data) }),
      })),
    }),
  }
}

function transactionOf(view: View, id: string, newest: number | undefined) {
  const hash: Hex = `0x${id}`
  const found = view.find(hash)
  const isSeen = found !== undefined && (newest === undefined || found.block.number <= newest)
  const known = isSeen ? found.included : newest === undefined ? view.waiting(hash) : undefined
  if (known === undefined) return {}
  const value = {
    owner_address: prefixed(known.from),
    contract_address: prefixed(known.to),
    data: bare(known.data),
  }
  return {
    txID: id,
    raw_data: { contract: [{ type: 'TriggerSmartContract', parameter: { value } }] },
  }
}

function constantCall(view: View, body: Body, newest: number) {
  const block = view.block(newest)
  if (block?.state === undefined)
    return { result: { code: 'OTHER_ERROR', message: bare(stringToHex('no state')) } }
  const call = { from: withoutPrefix(body.owner_address), to: withoutPrefix(body.contract_address) }
  try {
    const data: Hex = `0x${String(body.data)}`
    const { output } = callTron(copyOf(block.state), { ...call, data, time: block.time })
    const used = { energy_used: Number(ENERGY) }
    return {
      result: { result: true },
      ...used,
      constant_result: [bare(output)],
      transaction: { ret: [{}] },
    }
  } catch (error) {
    if (!(error instanceof Reverted)) throw error
    return {
      result: { result: true, message: bare(stringToHex('REVERT opcode executed')) },
      energy_used: Number(ENERGY),
      constant_result: [bare(error.data)],
      transaction: { ret: [{ ret: 'FAILED' }] },
    }
  }
}

function codeOf({ codes }: TronNodeFacts, address: Hex) {
  const code = codes.get(address)
  return code === undefined ? {} : { runtimecode: bare(code) }
}

function broadcast(view: View, bytes: string) {
  const transaction = readTronTransaction(Buffer.from(bytes, 'hex'))
  if ((transaction.expiresAt ?? 0) <= view.chain.head.time) {
    return { code: 'TRANSACTION_EXPIRATION_ERROR', message: 'Transaction expired' }
  }
  if (!view.chain.send(transaction))
    return { code: 'DUP_TRANSACTION_ERROR', message: 'dup transaction' }
  return { result: true, txid: bare(transaction.hash) }
}
