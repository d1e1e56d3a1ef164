import { fromHex, fromHexText, toHex } from './abi-codec.ts'
import { requestOf, type SendableCall } from './contract-call.ts'
import type { TronNode, UnsignedTransaction } from './injected.ts'
import { NodeError, nodeRequest } from './node-request.ts'
import { WalletError } from './wallet-error.ts'

export type TransactionInput = {
  from: string
  call: SendableCall
  feeLimitSun: bigint
  /** How long the transaction stays valid beyond the node's own time (a minute), for wallets that sign slowly. */
  extraSigningMs: number
}

type NodeReply = {
  result?: { message?: string }
  transaction?: {
    raw_data?: Partial<Reference>
  }
}
/** The data that only the chain provides: a recent final block, and the time. */
type Reference = {
  ref_block_bytes: string
  ref_block_hash: string
  expiration: number
  timestamp: number
}

const TRIGGER = 'TriggerSmartContract'
const TRIGGER_URL = `type.googleapis.com/protocol.${TRIGGER}`
const TRIGGER_TYPE = 31

/**
 * Builds the transaction of a call. The node supplies only the reference block and the time; the call, its arguments
 * and its fee limit are encoded here, so that a node cannot have another call signed.
 * @throws NodeError if the node does not prepare it; WalletError on a site without https, where browsers lack the means
 */
export async function buildTransaction(
  node: TronNode,
  { from, call, feeLimitSun, extraSigningMs }: TransactionInput,
): Promise<UnsignedTransaction> {
  const request = requestOf(from, call)
  const { owner_address, contract_address, parameter } = request
  const fee_limit = Number(feeLimitSun)
  if (globalThis.crypto.subtle === undefined) throw new WalletError('insecure')
  const reply = await nodeRequest<NodeReply>(node, 'wallet/triggersmartcontract', {
    ...request,
    fee_limit,
  })
  const reference = referenceOf(reply)
  const value = { data: call.selectorHex + parameter, owner_address, contract_address }
  const rawData = {
    contract: [{ parameter: { value, type_url: TRIGGER_URL }, type: TRIGGER }],
    ...reference,
    expiration: reference.expiration + extraSigningMs,
    fee_limit,
  }
  const bytes = encodeRawData(rawData)
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Object.assign(
    { visible: false },
    { txID: toHex(new Uint8Array(digest)), raw_data: rawData, raw_data_hex: toHex(bytes) },
  )
}

function referenceOf({ result, transaction }: NodeReply): Reference {
  const { ref_block_bytes, ref_block_hash, expiration, timestamp } = transaction?.raw_data ?? {}
  if (!ref_block_bytes || !ref_block_hash || !expiration || !timestamp) {
    const reason = new NodeError(fromHexText(result?.message ?? ''))
    throw new NodeError('The node did not prepare the transaction', { cause: reason })
  }
  return { ref_block_bytes, ref_block_hash, expiration, timestamp }
}

type RawData = Reference & {
  contract: { parameter: { value: TriggerValue } }[]
  fee_limit: number
}
type TriggerValue = { data: string; owner_address: string; contract_address: string }

/** The numbers of the fields are those of Tron's protocol (core/Tron.proto, core/contract/smart_contract.proto). */
function encodeRawData({ contract, ...rest }: RawData): Uint8Array<ArrayBuffer> {
  const calls = contract.map(({ parameter }) => {
    const { owner_address, contract_address, data } = parameter.value
    const value = [
      ...bytesField(1, fromHex(owner_address)),
      ...bytesField(2, fromHex(contract_address)),
      ...bytesField(4, fromHex(data)),
    ]
    const any = [...bytesField(1, new TextEncoder().encode(TRIGGER_URL)), ...bytesField(2, value)]
    return bytesField(11, [...numberField(1, TRIGGER_TYPE), ...bytesField(2, any)])
  })
  return new Uint8Array([
    ...bytesField(1, fromHex(rest.ref_block_bytes)),
    ...bytesField(4, fromHex(rest.ref_block_hash)),
    ...numberField(8, rest.expiration),
    ...calls.flat(),
    ...numberField(14, rest.timestamp),
    ...numberField(18, rest.fee_limit),
  ])
}

function bytesField(id: number, bytes: ArrayLike<number>): number[] {
  return [...varint(id * 8 + 2), ...varint(bytes.length), ...Array.from(bytes)]
}

function numberField(id: number, value: number): number[] {
  return [...varint(id * 8), ...varint(value)]
}

/** Divides instead of shifting: times have more than 32 bits. */
function varint(value: number): number[] {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('Not a whole number')
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
}
