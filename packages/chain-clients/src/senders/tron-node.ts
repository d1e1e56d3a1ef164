import { bytesToHex, type Hex, hexToString } from 'viem'
import type { CallOutcome } from './calls.ts'
import {
  agree,
  type BroadcastAnswer,
  type FinalLog,
  type TransactionStatus,
} from './final-status.ts'
import { type NodeHttp, NodeUnavailable, postJson } from './node-http.ts'
import { type TronAnchor, tronHex } from './tron-signer.ts'

export type TronNodeOptions = {
  /** One or two full nodes; if there are two, they must agree. */
  fullHosts: readonly string[]
  apiKey?: string
  timeoutMs: number
}

export type TronReadCall = { from: Hex; contract: Hex; data: Hex }
/**
 * What an account can spend now. A transaction's bandwidth comes either from stake or from the free allowance, never
 * from both.
 */
export type TronResources = { sun: bigint; energy: bigint; bandwidth: bigint }
export type TronPrices = { energySun: bigint; bandwidthSun: bigint }
/** Proof that a transaction can no longer be included: the final time of each node, which is past its expiry. */
export type TronDeathProof = {
  kind: 'expired'
  expiresAt: string
  nodes: { solidBlock: string; solidTime: string }[]
}

export type TronNode = {
  /** The newest solidified block of the first node that answers. */
  anchor(): Promise<TronAnchor>
  /** Runs a call on the newest state without changing it. */
  simulate(call: TronReadCall): Promise<CallOutcome>
  /** Runs a view function on the newest final state. */
  readFinal(call: TronReadCall): Promise<CallOutcome>
  resources(address: Hex): Promise<TronResources>
  prices(): Promise<TronPrices>
  /** Sends the bytes to every node. Does not throw when nodes refuse or do not answer. */
  broadcast(raw: Uint8Array): Promise<BroadcastAnswer>
  status(hash: Hex): Promise<TransactionStatus>
  /**
   * Proof that the transaction can never be included: at every node the final time is more than `marginMs` past the
   * expiry, and a look-up after that reading finds nothing. Undefined while there is none.
   */
  proveDeath(dying: {
    hash: Hex
    expiresAt: Date
    marginMs: number
  }): Promise<TronDeathProof | undefined>
}

type Json = Record<string, unknown>

/** Client of Tron full nodes over HTTP, with only what a sender needs. */
export function createTronNode({ fullHosts, apiKey, timeoutMs }: TronNodeOptions): TronNode {
  const headers = apiKey === undefined ? {} : { 'TRON-PRO-API-KEY': apiKey }
  const nodes = fullHosts.map((url): NodeHttp => ({ url, headers, timeoutMs }))
  const readers = nodes.map((node) => (path: string, body: Json) => checkedPost(node, path, body))
  const first = <T>(ask: (post: Post) => Promise<T>) => firstAnswer(readers, ask)
  return {
    anchor: () => first(async (post) => readBlock(await post('/walletsolidity/getnowblock', {}))),
    simulate: (call) => first((post) => constantCall(post, '/wallet', call)),
    readFinal: (call) => first((post) => constantCall(post, '/walletsolidity', call)),
    resources: (address) => first((post) => readResources(post, address)),
    prices: () => first(readPrices),
    broadcast: (raw) => broadcast(nodes, raw),
    async status(hash) {
      return agree(await Promise.all(readers.map((post) => readStatus(post, hash))))
    },
    async proveDeath({ hash, expiresAt, marginMs }) {
      const proofs = await Promise.all(
        readers.map((post) => proveAtNode(post, hash, expiresAt.getTime() + marginMs)),
      )
      const known = proofs.filter((proof) => proof !== undefined)
      if (known.length < proofs.length) return undefined
      return { kind: 'expired', expiresAt: expiresAt.toISOString(), nodes: known }
    },
  }
}

type Post = (path: string, body: Json) => Promise<Json>

/** Nodes report their own errors in the body, with status 200. */
async function checkedPost(node: NodeHttp, path: string, body: Json): Promise<Json> {
  const answer = await postJson(node, path, body)
  if (answer.Error !== undefined) throw new NodeUnavailable(`${path}: ${answer.Error}`)
  return answer
}

async function firstAnswer<T>(posts: readonly Post[], ask: (post: Post) => Promise<T>): Promise<T> {
  let failure: unknown = new NodeUnavailable('no node is configured')
  for (const post of posts) {
    try {
      return await ask(post)
    } catch (error) {
      if (!(error instanceof NodeUnavailable)) throw error
      failure = error
    }
  }
  throw failure
}

function readBlock(block: Json): TronAnchor {
  const raw = objectOf(objectOf(block.block_header).raw_data)
  if (typeof block.blockID !== 'string') throw new NodeUnavailable('the newest block has no id')
  return {
    blockNumber: whole(raw.number),
    blockId: block.blockID,
    time: new Date(Number(whole(raw.timestamp))),
  }
}

async function constantCall(post: Post, service: string, call: TronReadCall): Promise<CallOutcome> {
  const answer = await post(`${service}/triggerconstantcontract`, {
    owner_address: tronHex(call.from),
    contract_address: tronHex(call.contract),
    data: call.data.slice(2),
  })
  const result = objectOf(answer.result)
  if (result.result !== true) {
    throw new NodeUnavailable(
      `a call was not executed: ${result.code} ${readMessage(result.message)}`,
    )
  }
  const [output] = Array.isArray(answer.constant_result) ? answer.constant_result : []
  const data: Hex = `0x${output ?? ''}`
  const { transaction } = answer
  const ret = objectOf((objectOf(transaction).ret as unknown[] | undefined)?.[0])
  if (result.message !== undefined || ret.ret === 'FAILED') {
    return { succeeded: false, revert: data, message: readMessage(result.message) }
  }
  const used = whole(answer.energy_used) + whole(answer.energy_penalty)
  return { succeeded: true, used, output: data }
}

async function readResources(post: Post, address: Hex): Promise<TronResources> {
  const body = { address: tronHex(address) }
  const account = await post('/wallet/getaccount', body)
  const resource = await post('/wallet/getaccountresource', body)
  const left = (limit: string, used: string) => whole(resource[limit]) - whole(resource[used])
  return {
    sun: whole(account.balance),
    energy: left('EnergyLimit', 'EnergyUsed'),
    bandwidth: larger(left('freeNetLimit', 'freeNetUsed'), left('NetLimit', 'NetUsed')),
  }
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

async function readPrices(post: Post): Promise<TronPrices> {
  const { chainParameter } = await post('/wallet/getchainparameters', {})
  const list = Array.isArray(chainParameter) ? chainParameter.map(objectOf) : []
  const priceOf = (key: string) => whole(list.find((item) => item.key === key)?.value)
  return { energySun: priceOf('getEnergyFee'), bandwidthSun: priceOf('getTransactionFee') }
}

async function broadcast(nodes: readonly NodeHttp[], raw: Uint8Array): Promise<BroadcastAnswer> {
  const transaction = bytesToHex(raw).slice(2)
  const answers = await Promise.all(nodes.map((node) => broadcastTo(node, transaction)))
  return answers.find((answer) => answer.isAccepted) ?? answers[0] ?? NO_NODE
}

const NO_NODE: BroadcastAnswer = { isAccepted: false, detail: 'no node is configured' }

async function broadcastTo(node: NodeHttp, transaction: string): Promise<BroadcastAnswer> {
  try {
    const answer = await postJson(node, '/wallet/broadcasthex', { transaction })
    if (answer.result === true) return { isAccepted: true, detail: 'accepted' }
    const code = answer.code ?? answer.Error ?? 'refused'
    return { isAccepted: false, detail: `${code} ${readMessage(answer.message)}`.trim() }
  } catch (error) {
    if (!(error instanceof NodeUnavailable)) throw error
    return { isAccepted: false, detail: error.message }
  }
}

async function readStatus(post: Post, hash: Hex): Promise<TransactionStatus> {
  const body = { value: hash.slice(2) }
  const final = await post('/walletsolidity/gettransactioninfobyid', body)
  if (final.id !== undefined) return finalStatus(final)
  const newest = await post('/wallet/gettransactioninfobyid', body)
  return { kind: newest.id === undefined ? 'unknown' : 'mined' }
}

function finalStatus(info: Json): TransactionStatus {
  const { result } = objectOf(info.receipt)
  const hasSucceeded = info.result !== 'FAILED' && result === 'SUCCESS'
  const logs = Array.isArray(info.log) ? info.log : []
  return {
    kind: 'final',
    failure: hasSucceeded ? null : `${result ?? 'FAILED'}`,
    blockNumber: whole(info.blockNumber),
    blockTime: new Date(Number(whole(info.blockTimeStamp))),
    // A failed transaction can carry logs of effects that were reverted.
    logs: hasSucceeded ? logs.map(readLog) : [],
    fee: whole(info.fee),
  }
}

function readLog(log: unknown): FinalLog {
  const { address, topics, data } = objectOf(log)
  const list = Array.isArray(topics) ? topics : []
  return {
    address: `0x${`${address}`.toLowerCase()}`,
    topics: list.map((topic): Hex => `0x${topic}`),
    data: `0x${data ?? ''}`,
  }
}

async function proveAtNode(post: Post, hash: Hex, expiredAfterMs: number) {
  const solid = readBlock(await post('/walletsolidity/getnowblock', {}))
  if (solid.time.getTime() <= expiredAfterMs) return undefined
  const body = { value: hash.slice(2) }
  const info = await post('/walletsolidity/gettransactioninfobyid', body)
  const transaction = await post('/walletsolidity/gettransactionbyid', body)
  if (info.id !== undefined || transaction.txID !== undefined) return undefined
  return { solidBlock: `${solid.blockNumber}`, solidTime: solid.time.toISOString() }
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

/** Parses a whole number. Numbers with their default value are left out of answers. */
function whole(value: unknown): bigint {
  if (value === undefined || value === null) return 0n
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return BigInt(value)
  throw new NodeUnavailable("a number was expected in a node's answer")
}

/** A message as text. Nodes encode it as hex, except in their answer to `broadcasthex`. */
function readMessage(message: unknown): string {
  if (typeof message !== 'string') return ''
  return /^([0-9a-fA-F]{2})+$/.test(message) ? hexToString(`0x${message}`) : message
}
