import type { HexAddress } from './address.ts'
import type { TronTransaction } from './transaction.ts'

export type TronLog = { address: HexAddress; topics: string[]; data: string }

/** What became of a transaction in its block. Amounts are sun, hex has no prefix. */
export type Outcome = {
  /** As in a receipt; DEFAULT for what runs no contract. */
  result: ContractResult
  energyUsed: number
  energyFee: number
  netUsage: number
  netFee: number
  /** What was burned in all. */
  fee: number
  output: string
  contractAddress?: HexAddress
  /** Why it failed, in the node's words. */
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
  | 'UNKNOWN'

/** An included transaction. Every transaction has a block of its own. */
export type TronRecord = {
  transaction: TronTransaction
  blockNumber: number
  blockId: string
  blockTimestampMs: number
  outcome: Outcome
}

export function hasSucceeded({ outcome }: TronRecord): boolean {
  return outcome.result === 'DEFAULT' || outcome.result === 'SUCCESS'
}

/** All included transactions, in the order of their blocks. */
export type TronRecords = {
  add(record: TronRecord): void
  find(txId: string): TronRecord | undefined
  inBlock(number: number): TronRecord | undefined
  /** In blocks `from` to `to`, both included. */
  between(range: { from: number; to: number }): TronRecord[]
  /** The transaction that made a contract. */
  creationOf(address: HexAddress): TronRecord | undefined
  /** Forgets every transaction in `number` and later blocks, and answers them. */
  removeFrom(number: number): TronRecord[]
  all(): readonly TronRecord[]
}

export function createTronRecords(initial: readonly TronRecord[] = []): TronRecords {
  const ordered: TronRecord[] = []
  const byId = new Map<string, TronRecord>()
  const byBlock = new Map<number, TronRecord>()
  const creations = new Map<HexAddress, TronRecord>()

  const add = (record: TronRecord) => {
    ordered.push(record)
    byId.set(record.transaction.txID, record)
    byBlock.set(record.blockNumber, record)
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
    inBlock: (number) => byBlock.get(number),
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
        if (outcome.contractAddress) {
          const { contractAddress } = outcome
          if (creations.get(contractAddress)?.transaction === transaction) {
            creations.delete(contractAddress)
          }
        }
      }
      return removed
    },
    all: () => ordered,
  }
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
