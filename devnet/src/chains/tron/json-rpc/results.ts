import type { Engine } from '../../core/engine.ts'
import type { EvmBlock } from '../../core/evm-node.ts'
import { toQuantity } from '../../core/rpc.ts'
import { toEvm } from '../address.ts'
import { blockIdOf, parentIdOf } from '../block-id.ts'
import { ENERGY_PRICE, WITNESS_ADDRESS } from '../parameters.ts'
import { hasSucceeded, type TronRecord } from '../records.ts'
import type { TronContract } from '../transaction.ts'
import type { Json } from '../wire.ts'

const NO_BLOOM = `0x${'00'.repeat(256)}`
const ZERO_HASH = `0x${'00'.repeat(32)}`
const NO_NONCE = '0x0000000000000000'
const PRICE = toQuantity(ENERGY_PRICE)

export function blockResult(engine: Engine, block: EvmBlock, withTransactions: boolean): Json {
  const number = Number(block.number)
  const included = engine.records.inBlock(number)
  const sum = (of: (record: TronRecord) => number) =>
    toQuantity(included.reduce((total, record) => total + of(record), 0))
  return {
    baseFeePerGas: '0x0',
    difficulty: '0x0',
    extraData: '0x',
    gasLimit: sum(({ transaction }) => transaction.raw_data.fee_limit ?? 0),
    gasUsed: sum(({ outcome }) => outcome.energyUsed),
    hash: `0x${blockIdOf(block)}`,
    logsBloom: NO_BLOOM,
    miner: toEvm(WITNESS_ADDRESS),
    mixHash: ZERO_HASH,
    nonce: NO_NONCE,
    number: block.number,
    parentHash: `0x${parentIdOf(block)}`,
    receiptsRoot: ZERO_HASH,
    sha3Uncles: ZERO_HASH,
    size: block.size,
    stateRoot: '0x',
    timestamp: block.timestamp,
    totalDifficulty: '0x0',
    transactions: included.map((record) =>
      withTransactions ? transactionResult(record) : hashOf(record),
    ),
    transactionsRoot: block.transactionsRoot,
    uncles: [],
  }
}

export function transactionResult(record: TronRecord): Json {
  const { transaction, blockNumber, blockId, outcome } = record
  const [contract] = transaction.raw_data.contract
  const [signature = ''] = transaction.signature
  const recoveryId = Number.parseInt(signature.slice(128, 130) || '0', 16)
  return {
    blockHash: `0x${blockId}`,
    blockNumber: toQuantity(blockNumber),
    from: toEvm(contract.parameter.value.owner_address),
    gas: toQuantity(outcome.energyUsed),
    gasPrice: PRICE,
    hash: hashOf(record),
    input: inputOf(contract),
    nonce: NO_NONCE,
    r: `0x${signature.slice(0, 64)}`,
    s: `0x${signature.slice(64, 128)}`,
    to: recipientOf(contract),
    transactionIndex: toQuantity(record.index),
    type: '0x0',
    v: toQuantity(recoveryId < 27 ? recoveryId + 27 : recoveryId),
    value: toQuantity(callValueOf(contract)),
  }
}

export function receiptResult({ records }: Engine, record: TronRecord): Json {
  const { transaction, blockNumber, blockId, outcome } = record
  const [contract] = transaction.raw_data.contract
  const gasUsed = toQuantity(outcome.energyUsed)
  const isCreation = contract.type === 'CreateSmartContract'
  const { contractAddress } = outcome
  return {
    blockHash: `0x${blockId}`,
    blockNumber: toQuantity(blockNumber),
    contractAddress: isCreation && contractAddress ? toEvm(contractAddress) : null,
    cumulativeGasUsed: toQuantity(gasUpTo(records.inBlock(blockNumber), record)),
    effectiveGasPrice: PRICE,
    from: toEvm(contract.parameter.value.owner_address),
    gasUsed,
    logs: logResults(record),
    logsBloom: NO_BLOOM,
    status: hasSucceeded(record) ? '0x1' : '0x0',
    to: recipientOf(contract),
    transactionHash: hashOf(record),
    transactionIndex: toQuantity(record.index),
    type: '0x0',
  }
}

function gasUpTo(block: readonly TronRecord[], { index }: TronRecord): number {
  const upTo = block.slice(0, index + 1)
  return upTo.reduce((total, { outcome }) => total + outcome.energyUsed, 0)
}

export type LogResult = {
  address: string
  topics: string[]
  data: string
  blockHash: string
  blockNumber: string
  blockTimestamp: string
  logIndex: string
  removed: boolean
  transactionHash: string
  transactionIndex: string
}

export function logResults(record: TronRecord): LogResult[] {
  const { blockNumber, blockId, blockTimestampMs, outcome } = record
  return outcome.logs.map((log, index) => ({
    address: toEvm(log.address),
    topics: log.topics.map((topic) => `0x${topic}`),
    data: `0x${log.data}`,
    blockHash: `0x${blockId}`,
    blockNumber: toQuantity(blockNumber),
    blockTimestamp: toQuantity(blockTimestampMs / 1000),
    logIndex: toQuantity(record.firstLogIndex + index),
    removed: false,
    transactionHash: hashOf(record),
    transactionIndex: toQuantity(record.index),
  }))
}

function hashOf({ transaction }: TronRecord): string {
  return `0x${transaction.txID}`
}

function inputOf(contract: TronContract): string {
  return contract.type === 'TriggerSmartContract'
    ? `0x${contract.parameter.value.data ?? ''}`
    : '0x'
}

function recipientOf(contract: TronContract): string | null {
  if (contract.type === 'TransferContract') return toEvm(contract.parameter.value.to_address)
  if (contract.type === 'CreateSmartContract') return null
  return toEvm(contract.parameter.value.contract_address)
}

function callValueOf(contract: TronContract): number {
  if (contract.type === 'TransferContract') return contract.parameter.value.amount ?? 0
  if (contract.type === 'CreateSmartContract') {
    return contract.parameter.value.new_contract.call_value ?? 0
  }
  return contract.parameter.value.call_value ?? 0
}
