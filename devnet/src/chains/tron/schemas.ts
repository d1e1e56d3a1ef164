import type { Field, Schema } from './protobuf.ts'

const bytes = (id: number): Field => ({ id, kind: 'bytes' })
const text = (id: number): Field => ({ id, kind: 'string' })
const int = (id: number): Field => ({ id, kind: 'int' })
const bool = (id: number): Field => ({ id, kind: 'bool' })
const names = (id: number, values: Record<number, string>): Field => ({
  id,
  kind: 'enum',
  names: values,
})
const message = (id: number, schema: Schema): Field => ({ id, kind: 'message', schema })
const list = (field: Field): Field => ({ ...field, repeated: true })

const ABI_PARAM: Schema = { indexed: bool(1), name: text(2), type: text(3) }

const ABI_ENTRY: Schema = {
  anonymous: bool(1),
  constant: bool(2),
  name: text(3),
  inputs: list(message(4, ABI_PARAM)),
  outputs: list(message(5, ABI_PARAM)),
  type: names(6, {
    0: 'UnknownEntryType',
    1: 'Constructor',
    2: 'Function',
    3: 'Event',
    4: 'Fallback',
    5: 'Receive',
    6: 'Error',
  }),
  payable: bool(7),
  stateMutability: names(8, {
    0: 'UnknownMutabilityType',
    1: 'Pure',
    2: 'View',
    3: 'Nonpayable',
    4: 'Payable',
  }),
}

const SMART_CONTRACT: Schema = {
  origin_address: bytes(1),
  contract_address: bytes(2),
  abi: message(3, { entrys: list(message(1, ABI_ENTRY)) }),
  bytecode: bytes(4),
  call_value: int(5),
  consume_user_resource_percent: int(6),
  name: text(7),
  origin_energy_limit: int(8),
}

/** The kinds of transactions that the development chain executes, with their protobuf schemas. */
export const CONTRACT_TYPES = {
  TransferContract: { owner_address: bytes(1), to_address: bytes(2), amount: int(3) },
  TriggerSmartContract: {
    owner_address: bytes(1),
    contract_address: bytes(2),
    call_value: int(3),
    data: bytes(4),
    call_token_value: int(5),
    token_id: int(6),
  },
  CreateSmartContract: {
    owner_address: bytes(1),
    new_contract: message(2, SMART_CONTRACT),
    call_token_value: int(3),
    token_id: int(4),
  },
} as const satisfies Record<string, Schema>

export type ContractType = keyof typeof CONTRACT_TYPES

const CONTRACT: Schema = {
  type: names(1, { 1: 'TransferContract', 30: 'CreateSmartContract', 31: 'TriggerSmartContract' }),
  parameter: message(2, { type_url: text(1), value: bytes(2) }),
  Permission_id: int(5),
}

export const RAW_DATA: Schema = {
  ref_block_bytes: bytes(1),
  ref_block_num: int(3),
  ref_block_hash: bytes(4),
  expiration: int(8),
  data: bytes(10),
  contract: list(message(11, CONTRACT)),
  scripts: bytes(12),
  timestamp: int(14),
  fee_limit: int(18),
}

export const TRANSACTION: Schema = { raw_data: bytes(1), signature: list(bytes(2)) }
