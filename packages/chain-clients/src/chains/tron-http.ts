import { failureOfTronCall } from '@dct/rules/tron-success'
import { bytesToHex, type Hex, hexToString } from 'viem'
import { greater } from '../bigints.ts'
import {
  anything,
  type Decode,
  digitsOf,
  flag,
  list,
  milliseconds,
  object,
  or,
  orEmpty,
  present,
  text,
  that,
  tronAddress,
  whole,
} from '../nodes/decode.ts'
import { CallFailed, NodeUnavailable } from '../nodes/failures.ts'
import { createNodeClient, type NodeAccess } from '../nodes/node-client.ts'
import { type TronAnchor, tronHex } from '../senders/tron-signer.ts'
import { type BroadcastAnswer, broadcastWith } from './broadcast.ts'
import type { CallOutcome } from './calls.ts'
import {
  type BlockRef,
  type ChainReader,
  hasMatch,
  type KnownTransaction,
  type Outcome,
  type Receipt,
} from './chain-reader.ts'

/** A call of a contract, or the creation of one where `contract` is left out. */
export type TronReadCall = { from: Hex; contract?: Hex; data: Hex }
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

/** What Tron's HTTP endpoint offers: what is final, and what a sender needs. */
export type TronHttp = Pick<ChainReader, 'code' | 'receipt' | 'receiptsIn' | 'transaction'> & {
  /** The newest solidified block. */
  anchor(): Promise<TronAnchor>
  /** Runs a call on the newest state without changing it. */
  simulate(call: TronReadCall): Promise<CallOutcome>
  /** Runs a view function on the newest final state. */
  readFinal(call: TronReadCall): Promise<CallOutcome>
  resources(address: Hex): Promise<TronResources>
  prices(): Promise<TronPrices>
  permission(address: Hex): Promise<TronPermission>
  /** Does not throw when a node refuses or does not answer. */
  broadcast(raw: Uint8Array): Promise<BroadcastAnswer>
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

/** The same endpoint at one node, with what only a single node can be asked. */
export type TronHttpClient = TronHttp & {
  /** The block at that height, or the newest solidified one. */
  solidBlock(which: 'newest' | bigint): Promise<BlockRef>
  /** The chain id, which is the end of the first block's id. */
  chainIdOfGenesis(): Promise<number>
}

type Post = <T>(path: string, body: Record<string, unknown>, decode: Decode<T>) => Promise<T>

/** Asks one Tron node over HTTP. */
export function createTronHttp(access: NodeAccess): TronHttpClient {
  const client = createNodeClient(access)
  const post: Post = (path, body, decode) =>
    client.post(path, body, (answer) => decode(answer, path))
  const solidBlock = (which: 'newest' | bigint) => readBlock(post, which)
  return {
    solidBlock,
    async chainIdOfGenesis() {
      const { hash } = await post('/wallet/getblockbynum', { num: 0 }, BLOCK)
      return Number.parseInt(hash.slice(-8), 16)
    },
    async anchor() {
      return anchorAt(await solidBlock('newest'))
    },
    async code(address) {
      const body = { value: tronHex(address) }
      const { runtimecode } = await post('/wallet/getcontractinfo', body, CONTRACT)
      return runtimecode
    },
    receipt: (txHash) => readReceipt(post, txHash),
    receiptsIn: async (block, filters) =>
      (await readReceiptsIn(post, block)).filter((receipt) => hasMatch(receipt, filters)),
    transaction: (txHash) => readTransaction(post, txHash),
    simulate: (call) => constantCall(post, '/wallet', call),
    readFinal: (call) => constantCall(post, '/walletsolidity', call),
    resources: (address) => readResources(post, address),
    prices: () => post('/wallet/getchainparameters', {}, PRICES),
    permission: (address) => readPermission(post, address),
    broadcast: (raw) => broadcast(post, raw),
    async proveExpiry({ hash, expiresAt, marginMs }) {
      const solid = await solidBlock('newest')
      if (solid.time.getTime() <= expiresAt.getTime() + marginMs) return undefined
      const receipt = await readInfo(post, '/walletsolidity', hash)
      const transaction = await readKnown(post, '/walletsolidity', hash)
      if (receipt !== null || transaction !== null) return undefined
      const node = { solidBlock: `${solid.number}`, solidTime: solid.time.toISOString() }
      return { kind: 'expired', expiresAt: expiresAt.toISOString(), nodes: [node] }
    },
  }
}

/** A block as new transactions refer to it. */
export function anchorAt({ number, hash, time }: BlockRef): TronAnchor {
  return { blockNumber: number, blockId: hash.slice(2), time }
}

const HEADER = object({ raw_data: object({ number: whole, timestamp: milliseconds }) })
const BLOCK_FIELDS = object({ blockID: digitsOf(32), block_header: HEADER })

/** A block's id begins with its height. */
const BLOCK: Decode<BlockRef> = (value, place) => {
  const isOwnId = ({ blockID, block_header }: ReturnType<typeof BLOCK_FIELDS>) =>
    BigInt(blockID.slice(0, 18)) === block_header.raw_data.number
  const block = that(BLOCK_FIELDS, isOwnId, 'a block with its own id')(value, place)
  const { number, timestamp: time } = block.block_header.raw_data
  return { number, hash: block.blockID, time }
}

function readBlock(post: Post, which: 'newest' | bigint): Promise<BlockRef> {
  if (which === 'newest') return post('/walletsolidity/getnowblock', {}, BLOCK)
  const right = that(BLOCK, ({ number }) => number === which, `block ${which}`)
  return post('/walletsolidity/getblockbynum', { num: Number(which) }, right)
}

const CONTRACT = object({ runtimecode: or(digitsOf(), '0x' as Hex) })

const LOG = object({
  ...{
    address: digitsOf(20),
    topics: or(list(digitsOf(32)), []),
    data: or(digitsOf(), '0x' as Hex),
  },
})
const INFO = object({
  ...{ id: digitsOf(32), blockNumber: present(whole), blockTimeStamp: present(milliseconds) },
  fee: whole,
  result: or(text, undefined),
  receipt: or(object({ result: or(text, undefined) }), { result: undefined }),
  log: or(list(LOG), []),
})
type Info = ReturnType<typeof INFO>

function outcomeOf({ id, blockNumber, fee, result, receipt, log }: Info): Outcome {
  const failure = failureOfTronCall({ result, receiptResult: receipt.result })
  // A failed transaction can carry logs of effects that were reverted.
  return { txHash: id, blockNumber, failure, logs: failure === null ? log : [], fee }
}

function readInfo(post: Post, service: string, txHash: Hex): Promise<Info | null> {
  const right = that(INFO, ({ id }) => id === txHash, `the info of ${txHash}`)
  const body = { value: txHash.slice(2) }
  return post(`${service}/gettransactioninfobyid`, body, orEmpty(right))
}

/** Final means: in the solidified view. */
async function readReceipt(post: Post, txHash: Hex): Promise<Receipt> {
  const final = await readInfo(post, '/walletsolidity', txHash)
  if (final !== null) {
    return { kind: 'final', blockTime: final.blockTimeStamp, ...outcomeOf(final) }
  }
  const newest = await readInfo(post, '/wallet', txHash)
  return { kind: newest === null ? 'unknown' : 'mined' }
}

async function readReceiptsIn(post: Post, block: bigint): Promise<Outcome[]> {
  const path = '/walletsolidity/gettransactioninfobyblocknum'
  const right = that(INFO, ({ blockNumber }) => blockNumber === block, `an info of block ${block}`)
  return (await post(path, { num: Number(block) }, list(right))).map(outcomeOf)
}

const CALL = object({
  owner_address: tronAddress,
  contract_address: tronAddress,
  data: or(digitsOf(), '0x' as Hex),
})
const OTHER = object({ owner_address: or(tronAddress, `0x${'00'.repeat(20)}` as Hex) })
const PART = object({ type: text, parameter: object({ value: anything }) })

/** What a transaction does: it calls a contract, or anything else, of which only the sender matters. */
const DEED: Decode<Pick<KnownTransaction, 'from' | 'to' | 'input'>> = (value, place) => {
  const { type, parameter } = PART(value, place)
  if (type !== 'TriggerSmartContract') {
    return { from: OTHER(parameter.value, place).owner_address, to: null, input: '0x' }
  }
  const { owner_address: from, contract_address: to, data: input } = CALL(parameter.value, place)
  return { from, to, input }
}
const KNOWN = object({
  txID: digitsOf(32),
  raw_data: object({ contract: that(list(DEED), ({ length }) => length === 1, 'a list of one') }),
})

function readKnown(post: Post, service: string, txHash: Hex) {
  const right = that(KNOWN, ({ txID }) => txID === txHash, `transaction ${txHash}`)
  const body = { value: txHash.slice(2) }
  return post(`${service}/gettransactionbyid`, body, orEmpty(right))
}

async function readTransaction(post: Post, txHash: Hex): Promise<KnownTransaction | null> {
  const found = await readKnown(post, '/wallet', txHash)
  if (found === null) return null
  const [deed] = found.raw_data.contract
  return deed === undefined ? null : { hash: txHash, nonce: null, ...deed }
}

const RESULT = object({
  result: or(flag, false),
  code: or(text, undefined),
  message: or(text, undefined),
})
const SIMULATED = object({
  result: RESULT,
  energy_used: whole,
  constant_result: or(list(digitsOf()), []),
  transaction: or(object({ ret: or(list(object({ ret: or(text, undefined) })), []) }), { ret: [] }),
})

/** @throws CallFailed when the node did not run the call, for example because there is no such contract */
async function constantCall(
  post: Post,
  service: string,
  { from, contract, data }: TronReadCall,
): Promise<CallOutcome> {
  const path = `${service}/triggerconstantcontract`
  const body = {
    owner_address: tronHex(from),
    ...(contract === undefined ? {} : { contract_address: tronHex(contract) }),
    data: data.slice(2),
  }
  const answer = await post(path, body, SIMULATED)
  const { result, code = '', message } = answer.result
  const words = readMessage(message)
  if (!result) throw new CallFailed(`a call was not executed: ${code} ${words}`)
  const [output = '0x'] = answer.constant_result
  const hasFailed = answer.transaction.ret[0]?.ret === 'FAILED'
  if (message !== undefined || hasFailed) {
    return { succeeded: false, revert: output, message: words }
  }
  return { succeeded: true, used: answer.energy_used, output }
}

const PERMISSION = object({
  threshold: whole,
  keys: or(list(object({ address: tronAddress, weight: whole })), []),
})
const ACCOUNT = object({
  address: or(tronAddress, null),
  balance: whole,
  owner_permission: or(PERMISSION, null),
})
const RESOURCES = object({
  ...{ EnergyLimit: whole, EnergyUsed: whole, freeNetLimit: whole, freeNetUsed: whole },
  ...{ NetLimit: whole, NetUsed: whole },
})

function readAccount(post: Post, address: Hex) {
  const isRight = (account: ReturnType<typeof ACCOUNT>) =>
    account.address === null || account.address === address.toLowerCase()
  const right = that(ACCOUNT, isRight, `the account ${address}`)
  return post('/wallet/getaccount', { address: tronHex(address) }, right)
}

async function readResources(post: Post, address: Hex): Promise<TronResources> {
  const { balance } = await readAccount(post, address)
  const found = await post('/wallet/getaccountresource', { address: tronHex(address) }, RESOURCES)
  return {
    sun: balance,
    energy: found.EnergyLimit - found.EnergyUsed,
    bandwidth: greater(found.freeNetLimit - found.freeNetUsed, found.NetLimit - found.NetUsed),
  }
}

/** Transactions that name no permission are subject to the owner permission. */
async function readPermission(post: Post, address: Hex): Promise<TronPermission> {
  const { address: found, owner_permission: owner } = await readAccount(post, address)
  const isActivated = found !== null
  if (owner === null) return { isActivated, threshold: 1n, weight: 1n }
  const own = owner.keys.find((key) => key.address === address.toLowerCase())
  return { isActivated, threshold: owner.threshold, weight: own?.weight ?? 0n }
}

const PARAMETERS = object({
  chainParameter: list(object({ key: text, value: anything })),
})

/** The prices among the chain's parameters. Both are always listed. */
const PRICES: Decode<TronPrices> = (value, place) => {
  const { chainParameter } = PARAMETERS(value, place)
  const priceOf = (name: string) => {
    const found = chainParameter.find(({ key }) => key === name)
    return present(whole)(found === undefined ? found : (found.value ?? 0), `${place}.${name}`)
  }
  return { energySun: priceOf('getEnergyFee'), bandwidthSun: priceOf('getTransactionFee') }
}

function broadcast(post: Post, raw: Uint8Array): Promise<BroadcastAnswer> {
  return broadcastWith(async () => {
    const body = { transaction: bytesToHex(raw).slice(2) }
    const { result, code = 'refused', message } = await post('/wallet/broadcasthex', body, RESULT)
    if (!result) throw new NodeUnavailable(`${code} ${readMessage(message)}`.trim())
  })
}

/** A message as text. Nodes encode it as hex, except in their answer to `broadcasthex`. */
function readMessage(message = ''): string {
  return /^([0-9a-fA-F]{2})+$/.test(message) ? hexToString(`0x${message}`) : message
}
