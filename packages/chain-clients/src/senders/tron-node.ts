import { bytesToHex, type Hex, hexToString } from 'viem'
import { greater } from '../bigints.ts'
import { NodeUnavailable } from '../nodes/failures.ts'
import { createNodeClient, type NodeAccess } from '../nodes/node-client.ts'
import { type NodeGroup, soloGroup } from '../nodes/node-group.ts'
import type { CallOutcome } from './calls.ts'
import {
  ACCEPTED,
  agree,
  type BroadcastAnswer,
  broadcastToAll,
  type FinalLog,
  type TransactionStatus,
} from './final-status.ts'
import { type TronAnchor, tronHex } from './tron-signer.ts'

export type TronReadCall = { from: Hex; contract: Hex; data: Hex }
/**
 * What an account can spend now. A transaction's bandwidth comes either from stake or from the free allowance, never
 * from both.
 */
export type TronResources = { sun: bigint; energy: bigint; bandwidth: bigint }
/**
 * Who must sign for an account. For an account that never changed this, it is only the account's own key. `weight`:
 * that of the account's own key, which must reach `threshold` for this key to sign alone.
 */
export type TronPermission = { isActivated: boolean; threshold: bigint; weight: bigint }
export type TronPrices = { energySun: bigint; bandwidthSun: bigint }
/** Proof that a transaction can no longer be included: the final time of each node, which is past its expiry. */
export type TronExpiryProof = {
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
  permission(address: Hex): Promise<TronPermission>
  /** Sends the bytes to every node. Does not throw when nodes refuse or do not answer. */
  broadcast(raw: Uint8Array): Promise<BroadcastAnswer>
  status(hash: Hex): Promise<TransactionStatus>
  /**
   * Proof that the transaction can never be included: at every node that answers, the final time is more than
   * `marginMs` past the expiry, and a look-up after that reading finds nothing. Undefined while this is not proven.
   */
  proveExpiry(attempt: {
    hash: Hex
    expiresAt: Date
    marginMs: number
  }): Promise<TronExpiryProof | undefined>
}

type Json = Record<string, unknown>

/**
 * Client of Tron full nodes over HTTP, with only what a sender needs. At least as many nodes as the group needs must
 * answer.
 */
export function createTronNode(group: NodeGroup<TronPost>): TronNode {
  const all = async <T>(ask: (post: TronPost) => Promise<T>) =>
    (await group.all(ask)).map(({ value }) => value)
  const first = <T>(ask: (post: TronPost) => Promise<T>) => group.first(ask)
  return {
    anchor: () => first(async (post) => readBlock(await post('/walletsolidity/getnowblock', {}))),
    simulate: (call) => first((post) => constantCall(post, '/wallet', call)),
    readFinal: (call) => first((post) => constantCall(post, '/walletsolidity', call)),
    resources: (address) => first((post) => readResources(post, address)),
    prices: () => first(readPrices),
    permission: (address) => first((post) => readPermission(post, address)),
    broadcast: (raw) => broadcastToAll(group, (post) => broadcast(post, raw)),
    async status(hash) {
      const answers = await all((post) => readStatus(post, hash))
      return agree(answers, group.required(answers.length))
    },
    async proveExpiry({ hash, expiresAt, marginMs }) {
      const proofs = await all((post) => proveAtNode(post, hash, expiresAt.getTime() + marginMs))
      const known = proofs.filter((proof) => proof !== undefined)
      if (known.length < proofs.length) return undefined
      return { kind: 'expired', expiresAt: expiresAt.toISOString(), nodes: known }
    },
  }
}

/** Posts to a path of one Tron node. */
export type TronPost = (path: string, body: Json) => Promise<Json>

/** Like `createTronNode`, with a single node. */
export function tronNodeAt(access: NodeAccess): TronNode {
  return createTronNode(soloGroup(access, createTronPost(access)))
}

/** Asks one Tron node. */
export function createTronPost(access: NodeAccess): TronPost {
  const client = createNodeClient(access)
  return async (path, body) => {
    const answer = await client.post(path, body)
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
      throw new NodeUnavailable(`${path} did not return an object`)
    }
    return answer as Json
  }
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

async function constantCall(
  post: TronPost,
  service: string,
  call: TronReadCall,
): Promise<CallOutcome> {
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
  // The total: a node's `energy_penalty` is the part of it that popular contracts are charged on top.
  return { succeeded: true, used: whole(answer.energy_used), output: data }
}

async function readResources(post: TronPost, address: Hex): Promise<TronResources> {
  const body = { address: tronHex(address) }
  const account = await post('/wallet/getaccount', body)
  const resource = await post('/wallet/getaccountresource', body)
  const left = (limit: string, used: string) => whole(resource[limit]) - whole(resource[used])
  return {
    sun: whole(account.balance),
    energy: left('EnergyLimit', 'EnergyUsed'),
    bandwidth: greater(left('freeNetLimit', 'freeNetUsed'), left('NetLimit', 'NetUsed')),
  }
}

/** Transactions that name no permission are subject to the owner permission. */
async function readPermission(post: TronPost, address: Hex): Promise<TronPermission> {
  const account = await post('/wallet/getaccount', { address: tronHex(address) })
  const isActivated = account.address !== undefined
  if (account.owner_permission === undefined) return { isActivated, threshold: 1n, weight: 1n }
  const { threshold, keys } = objectOf(account.owner_permission)
  const own = (Array.isArray(keys) ? keys.map(objectOf) : []).find(
    (key) => `${key.address}`.toLowerCase() === tronHex(address),
  )
  return { isActivated, threshold: whole(threshold), weight: whole(own?.weight) }
}

async function readPrices(post: TronPost): Promise<TronPrices> {
  const { chainParameter } = await post('/wallet/getchainparameters', {})
  const list = Array.isArray(chainParameter) ? chainParameter.map(objectOf) : []
  const priceOf = (key: string) => whole(list.find((item) => item.key === key)?.value)
  return { energySun: priceOf('getEnergyFee'), bandwidthSun: priceOf('getTransactionFee') }
}

async function broadcast(post: TronPost, raw: Uint8Array): Promise<BroadcastAnswer> {
  const answer = await post('/wallet/broadcasthex', { transaction: bytesToHex(raw).slice(2) })
  if (answer.result === true) return ACCEPTED
  const code = answer.code ?? 'refused'
  return { isAccepted: false, detail: `${code} ${readMessage(answer.message)}`.trim() }
}

async function readStatus(post: TronPost, hash: Hex): Promise<TransactionStatus> {
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

async function proveAtNode(post: TronPost, hash: Hex, expiredAfterMs: number) {
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
