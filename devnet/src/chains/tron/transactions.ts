import type { Engine } from '../core/engine.ts'
import type { PooledTransaction } from './execute.ts'
import { NodeException, PARSE_EXCEPTION, type View, viewHeight } from './node.ts'
import { hasSucceeded, type TronLog, type TronRecord } from './records.ts'
import type { TronTransaction } from './transaction.ts'
import { compact, type Json, utf8ToHex } from './wire.ts'

/** A transaction as a builder returns it, to be signed. */
export function unsignedTransaction(transaction: TronTransaction): Json {
  const { txID, raw_data, raw_data_hex } = transaction
  return { visible: false, txID, raw_data, raw_data_hex }
}

/** A transaction as shown in its block. */
export function includedTransaction({ transaction, outcome }: PooledTransaction): Json {
  const { txID, raw_data, raw_data_hex, signature } = transaction
  const isCall = outcome.result !== 'DEFAULT'
  const contractRet = isCall ? outcome.result : 'SUCCESS'
  const isCreation = raw_data.contract[0].type === 'CreateSmartContract'
  return {
    ret: [{ contractRet }],
    signature,
    txID,
    raw_data,
    ...(isCreation && { contract_address: outcome.contractAddress }),
    raw_data_hex,
  }
}

export function transactionById(engine: Engine, view: View, id: unknown): Json {
  const pending = view === 'head' ? engine.pendingBlock()?.find(readId(id)) : undefined
  const found = recordById(engine, view, id) ?? pending
  return found ? includedTransaction(found) : {}
}

export function transactionInfoById(engine: Engine, view: View, id: unknown): Json {
  const record = recordById(engine, view, id)
  return record ? transactionInfo(record) : {}
}

export function transactionInfosByBlock(engine: Engine, view: View, number: number): Json[] {
  return number <= viewHeight(engine, view)
    ? engine.records.inBlock(number).map(transactionInfo)
    : []
}

/** The receipt. Default values are omitted; success has no top-level `result`. */
export function transactionInfo(record: TronRecord): Json {
  const { transaction, blockNumber, blockTimestampMs, outcome } = record
  const isCall = outcome.result !== 'DEFAULT'
  return compact({
    id: transaction.txID,
    fee: outcome.fee,
    blockNumber,
    blockTimeStamp: blockTimestampMs,
    contractResult: [outcome.output],
    contract_address: outcome.contractAddress,
    receipt: compact({
      energy_fee: outcome.energyFee,
      energy_usage_total: outcome.energyUsed,
      energy_penalty_total: outcome.energyPenalty,
      net_usage: outcome.netUsage,
      net_fee: outcome.netFee,
      result: isCall ? outcome.result : undefined,
    }),
    log: outcome.logs.length > 0 ? outcome.logs.map(toWireLog) : undefined,
    result: hasSucceeded(record) ? undefined : 'FAILED',
    resMessage: outcome.message === undefined ? undefined : utf8ToHex(outcome.message),
  })
}

/** A log's address has 20 bytes, unlike every other address in the protocol. */
export function toWireLog({ address, topics, data }: TronLog): Json {
  return compact({ address: address.slice(2), topics, data })
}

function recordById(engine: Engine, view: View, id: unknown): TronRecord | undefined {
  const record = engine.records.find(readId(id))
  return record && record.blockNumber <= viewHeight(engine, view) ? record : undefined
}

function readId(id: unknown): string {
  const hex = `${id}`.replace(/^0x/, '').toLowerCase()
  if (/^([0-9a-f]{2})*$/.test(hex)) return hex
  throw new NodeException(PARSE_EXCEPTION, '1:10: INVALID hex String')
}
