import { devTokenAbi } from '@dct/contract-abi'
import fc from 'fast-check'
import { utils } from 'tronweb'
import { expect, test } from 'vitest'
import type { Message } from './protobuf.ts'
import { decodeMessage, encodeMessage, ProtobufError } from './protobuf.ts'
import { RAW_DATA } from './schemas.ts'
import {
  transactionFromBytes,
  transactionFromJson,
  UnsupportedContractError,
  wireSize,
} from './transaction.ts'

const OWNER = `41${'aa'.repeat(20)}`
const OTHER = `41${'bb'.repeat(20)}`

function transactionOf(type: string, value: Message, rest: Message = {}): Message {
  const type_url = `type.googleapis.com/protocol.${type}`
  return {
    visible: false,
    txID: '',
    raw_data_hex: '',
    signature: ['cc'.repeat(65)],
    raw_data: {
      contract: [{ parameter: { value, type_url }, type }],
      ref_block_bytes: '28c3',
      ref_block_hash: 'ce6d340282788569',
      expiration: 1_777_447_227_000,
      timestamp: 1_777_447_168_009,
      ...rest,
    },
  }
}

const TRANSACTIONS = {
  transfer: transactionOf('TransferContract', {
    owner_address: OWNER,
    to_address: OTHER,
    amount: 9_007_199_254_740_991,
  }),
  call: transactionOf(
    'TriggerSmartContract',
    { owner_address: OWNER, contract_address: OTHER, data: 'a9059cbb', call_value: 7 },
    { fee_limit: 100_000_000, data: Buffer.from('a memo').toString('hex') },
  ),
  'call without value': transactionOf('TriggerSmartContract', {
    owner_address: OWNER,
    contract_address: OTHER,
    data: 'a9059cbb',
    call_value: 0,
  }),
  creation: transactionOf(
    'CreateSmartContract',
    {
      owner_address: OWNER,
      new_contract: {
        origin_address: OWNER,
        abi: { entrys: devTokenAbi },
        bytecode: '6080',
        name: 'Token',
        consume_user_resource_percent: 100,
        origin_energy_limit: 10_000_000,
        call_value: 0,
      },
    },
    { fee_limit: 1_000_000_000 },
  ),
}

test.each(Object.entries(TRANSACTIONS))('the bytes of a %s are those of TronWeb', (_name, json) => {
  const bytes = utils.transaction.txJsonToPb(json as never)
  const ours = transactionFromJson(json)
  expect(ours.txID).toBe(utils.transaction.txPbToTxID(bytes).slice(2))
  expect(ours.raw_data_hex).toBe(utils.transaction.txPbToRawDataHex(bytes).toLowerCase())
})

test('the canonical form omits fields with their default value', () => {
  const { raw_data } = transactionFromJson(TRANSACTIONS['call without value'])
  expect(raw_data.contract[0].parameter.value).toEqual({
    owner_address: OWNER,
    contract_address: OTHER,
    data: 'a9059cbb',
  })
  expect(raw_data).not.toHaveProperty('fee_limit')
})

test('a transaction round-trips through its bytes, and its size is theirs', () => {
  const transaction = transactionFromJson(TRANSACTIONS.call)
  const pb = utils.transaction.txJsonToPb(TRANSACTIONS.call as never)
  pb.addSignature(Buffer.from('cc'.repeat(65), 'hex').toString('base64'))
  const bytes: Uint8Array = pb.serializeBinary()
  expect(transactionFromBytes(bytes)).toEqual(transaction)
  expect(wireSize(transaction)).toBe(bytes.length)
})

test('unsupported kinds of transactions are named', () => {
  const freeze = transactionOf('FreezeBalanceV2Contract', { owner_address: OWNER })
  expect(() => transactionFromJson(freeze)).toThrow(UnsupportedContractError)
})

test('invalid fields and invalid message bytes are refused', () => {
  const wrong = transactionOf('TransferContract', { owner_address: 'zz', amount: 1 })
  expect(() => transactionFromJson(wrong)).toThrow(ProtobufError)
  const fraction = transactionOf('TransferContract', { owner_address: OWNER, amount: 1.5 })
  expect(() => transactionFromJson(fraction)).toThrow(ProtobufError)
  expect(() => decodeMessage(RAW_DATA, Buffer.from('0aff', 'hex'))).toThrow(ProtobufError)
})

test('any 64-bit integer round-trips', () => {
  const schema = { value: { id: 1, kind: 'int' } } as const
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      const { value: read = 0 } = decodeMessage(schema, encodeMessage(schema, { value }))
      expect(read).toBe(value)
    }),
  )
})
