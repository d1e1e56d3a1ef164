import { fromEvm, type HexAddress } from './address.ts'
import { type BandwidthUsage, createBandwidthUsage } from './bandwidth.ts'
import type { TronTransaction } from './transaction.ts'

/** A log as the chain's process returns it. */
export type EvmLog = { address: `0x${string}`; topics: `0x${string}`[]; data: `0x${string}` }
export type TronLog = { address: HexAddress; topics: string[]; data: string }

export function toTronLog({ address, topics, data }: EvmLog): TronLog {
  return {
    address: fromEvm(address),
    topics: topics.map((topic) => topic.slice(2)),
    data: data.slice(2),
  }
}

/** The outcome of a transaction in its block. Amounts are sun, hex has no prefix. */
export type Outcome = {
  /** As in a receipt; DEFAULT where no contract runs. */
  result: ContractResult
  energyUsed: number
  /** The part of it that was charged because the contract is popular. */
  energyPenalty?: number
  energyFee: number
  netUsage: number
  netFee: number
  /** The total amount burned. */
  fee: number
  output: string
  contractAddress?: HexAddress
  /** The reason for a failure, in the node's wording. */
  message?: string
  logs: TronLog[]
}

export type ContractResult =
  | 'DEFAULT'
  | 'SUCCESS'
  | 'REVERT'
  | 'BAD_JUMP_DESTINATION'
  | 'STACK_TOO_SMALL'
  | 'ILLEGAL_OPERATION'
  | 'STACK_OVERFLOW'
  | 'OUT_OF_ENERGY'
  | 'OUT_OF_TIME'
  | 'UNKNOWN'

/** An included transaction. */
export type TronRecord = {
  transaction: TronTransaction
  blockNumber: number
  blockId: string
  blockTimestampMs: number
  /** Its index within its block. */
  index: number
  /** The index of its first log within the block. */
  firstLogIndex: number
  outcome: Outcome
}

export function hasSucceeded({ outcome }: { outcome: Pick<Outcome, 'result'> }): boolean {
  return outcome.result === 'DEFAULT' || outcome.result === 'SUCCESS'
}

/** All included transactions, in chain order. */
export type TronRecords = {
  add(record: TronRecord): void
  find(txId: string): TronRecord | undefined
  inBlock(number: number): readonly TronRecord[]
  /** Those in blocks `from` to `to`, both inclusive. */
  between(range: { from: number; to: number }): TronRecord[]
  /** The transaction that created a contract. */
  creationOf(address: HexAddress): TronRecord | undefined
  /** Removes and returns all transactions in block `number` and later. */
  removeFrom(number: number): TronRecord[]
  all(): readonly TronRecord[]
  /** The usage of free bandwidth by these transactions. */
  bandwidth(): BandwidthUsage
}

export function createTronRecords(initial: readonly TronRecord[] = []): TronRecords {
  const ordered: TronRecord[] = []
  const byId = new Map<string, TronRecord>()
  const byBlock = new Map<number, TronRecord[]>()
  const creations = new Map<HexAddress, TronRecord>()
  let bandwidth = createBandwidthUsage()

  const add = (record: TronRecord) => {
    ordered.push(record)
    byId.set(record.transaction.txID, record)
    byBlock.set(record.blockNumber, [...(byBlock.get(record.blockNumber) ?? []), record])
    spendBandwidth(bandwidth, record)
    const isCreation = record.transaction.raw_data.contract[0].type === 'CreateSmartContract'
    const { contractAddress } = record.outcome
    if (isCreation && contractAddress && hasSucceeded(record)) {
      creations.set(contractAddress, record)
    }
  }
  for (const record of initial) add(record)

  return {
    add,
    find: (txId) => byId.get(txId),
    inBlock: (number) => byBlock.get(number) ?? [],
    between({ from, to }) {
      const found = ordered.slice(firstAtOrAfter(ordered, from))
      return found.slice(0, firstAtOrAfter(found, to + 1))
    },
    creationOf: (address) => creations.get(address),
    removeFrom(number) {
      const removed = ordered.splice(firstAtOrAfter(ordered, number))
      for (const { transaction, blockNumber, outcome } of removed) {
        byId.delete(transaction.txID)
        byBlock.delete(blockNumber)
        const { contractAddress = '' } = outcome
        if (creations.get(contractAddress)?.transaction === transaction) {
          creations.delete(contractAddress)
        }
      }
      bandwidth = createBandwidthUsage()
      for (const record of ordered) spendBandwidth(bandwidth, record)
      return removed
    },
    all: () => ordered,
    bandwidth: () => bandwidth,
  }
}

function spendBandwidth(usage: BandwidthUsage, record: TronRecord): void {
  const { transaction, outcome, blockTimestampMs } = record
  if (outcome.netUsage === 0) return
  const { owner_address: owner } = transaction.raw_data.contract[0].parameter.value
  usage.spend(owner, outcome.netUsage, blockTimestampMs)
}

function firstAtOrAfter(records: readonly TronRecord[], blockNumber: number): number {
  let low = 0
  let high = records.length
  while (low < high) {
    const middle = (low + high) >> 1
    const isBefore = (records[middle]?.blockNumber ?? 0) < blockNumber
    if (isBefore) low = middle + 1
    else high = middle
  }
  return low
}
