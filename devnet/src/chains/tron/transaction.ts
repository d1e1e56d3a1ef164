import { createHash } from 'node:crypto'
import type { HexAddress } from './address.ts'
import { decodeMessage, encodeMessage, type Message, ProtobufError } from './protobuf.ts'
import { CONTRACT_TYPES, type ContractType, RAW_DATA, TRANSACTION } from './schemas.ts'

export type TransferValue = { owner_address: HexAddress; to_address: HexAddress; amount?: number }
export type TriggerValue = {
  owner_address: HexAddress
  contract_address: HexAddress
  call_value?: number
  data?: string
}
export type NewContract = {
  origin_address: HexAddress
  bytecode?: string
  call_value?: number
  name?: string
  abi?: Message
  consume_user_resource_percent?: number
  origin_energy_limit?: number
}
export type CreateValue = { owner_address: HexAddress; new_contract: NewContract }

type ContractOf<Type extends ContractType, Value> = {
  parameter: { value: Value; type_url: string }
  type: Type
  Permission_id?: number
}
export type TronContract =
  | ContractOf<'TransferContract', TransferValue>
  | ContractOf<'TriggerSmartContract', TriggerValue>
  | ContractOf<'CreateSmartContract', CreateValue>

export type RawData = {
  contract: [TronContract]
  ref_block_bytes: string
  ref_block_hash: string
  expiration: number
  data?: string
  timestamp?: number
  fee_limit?: number
}

/** In canonical form: as decoded from the bytes, with hex addresses and without default values. */
export type TronTransaction = {
  txID: string
  raw_data: RawData
  raw_data_hex: string
  signature: string[]
}

/** A kind of transaction that exists on Tron but not on the development chain. */
export class UnsupportedContractError extends Error {
  override name = 'UnsupportedContractError'
}

/**
 * Reads a transaction from JSON with hex addresses. The id and the bytes are computed only from `raw_data`; the
 * sender's values for them are ignored, as on a real node.
 * @throws ProtobufError, UnsupportedContractError
 */
export function transactionFromJson(json: Message): TronTransaction {
  const signature = (Array.isArray(json.signature) ? json.signature : []).map((item) =>
    `${item}`.replace(/^0x/, '').toLowerCase(),
  )
  return fromRawBytes(encodeRawData(objectOf(json.raw_data, 'raw_data')), signature)
}

/** Reads a transaction from its protobuf bytes, as sent to `broadcasthex`. */
export function transactionFromBytes(bytes: Uint8Array): TronTransaction {
  const { raw_data, signature } = decodeMessage(TRANSACTION, bytes)
  return fromRawBytes(Buffer.from(`${raw_data ?? ''}`, 'hex'), (signature as string[]) ?? [])
}

/** The encoded size in bytes, which bandwidth is charged for. */
export function wireSize(transaction: TronTransaction): number {
  const { raw_data_hex, signature } = transaction
  return encodeMessage(TRANSACTION, { raw_data: raw_data_hex, signature }).length
}

function fromRawBytes(bytes: Buffer, signature: string[]): TronTransaction {
  const txID = createHash('sha256').update(bytes).digest('hex')
  return { txID, raw_data: decodeRawData(bytes), raw_data_hex: bytes.toString('hex'), signature }
}

function encodeRawData(rawData: Message): Buffer {
  const list = Array.isArray(rawData.contract) ? rawData.contract : []
  const contract = list.map((item) => {
    const { parameter, ...rest } = objectOf(item, 'contract')
    const { value } = objectOf(parameter, 'parameter')
    const type = supported(rest.type)
    return {
      ...rest,
      parameter: {
        type_url: `type.googleapis.com/protocol.${type}`,
        value: encodeMessage(CONTRACT_TYPES[type], objectOf(value, 'value')).toString('hex'),
      },
    }
  })
  return encodeMessage(RAW_DATA, { ...rawData, contract })
}

function decodeRawData(bytes: Buffer): RawData {
  const rawData = decodeMessage(RAW_DATA, bytes)
  const contract = ((rawData.contract as Message[]) ?? []).map((item) => {
    const type = supported(item.type)
    const parameter = objectOf(item.parameter, 'parameter')
    const value = decodeMessage(CONTRACT_TYPES[type], Buffer.from(`${parameter.value}`, 'hex'))
    return { parameter: { value, type_url: parameter.type_url }, ...omitParameter(item) }
  })
  // Decoding by the schema guarantees this type, field by field.
  return { ...rawData, contract } as unknown as RawData
}

function omitParameter({ parameter: _, ...rest }: Message): Message {
  return rest
}

function supported(type: unknown): ContractType {
  if (typeof type === 'string' && Object.hasOwn(CONTRACT_TYPES, type)) return type as ContractType
  throw new UnsupportedContractError(`the development chain does not support ${type}`)
}

function objectOf(value: unknown, name: string): Message {
  if (typeof value === 'object' && value !== null) return value as Message
  throw new ProtobufError(`${name} is missing`)
}
