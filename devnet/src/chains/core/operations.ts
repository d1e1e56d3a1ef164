import { openBlock } from '../tron/execute.ts'
import type { TronRecords } from '../tron/records.ts'
import type { ChainClock } from './clock.ts'
import type { ChainName, EvmNode } from './evm-node.ts'
import type { Journal, JournalEntry, Operation } from './journal.ts'

export type State = {
  clock: ChainClock
  nodes: Record<ChainName, EvmNode>
  records: TronRecords
}

/** Applies an operation. On the same state, the same operation always has the same effect. */
async function apply(state: State, operation: Operation): Promise<void> {
  const { nodes, clock } = state
  switch (operation.op) {
    case 'clock':
      return clock.setOffset(operation.offsetMs)
    case 'mine':
      return nodes[operation.chain].mine(operation.timestamp)
    case 'balance':
      return nodes[operation.chain].rpc('anvil_setBalance', operation.address, operation.balance)
    case 'bsc-transaction':
      return nodes.bsc.rpc('eth_sendRawTransaction', operation.raw)
    case 'tron-block':
      return makeTronBlock(state, operation)
  }
}

async function makeTronBlock(
  { nodes, records }: State,
  { transactions, timestamp, ...conditions }: Extract<Operation, { op: 'tron-block' }>,
): Promise<void> {
  const block = openBlock({ node: nodes.tron, records, timestamp, ...conditions })
  for (const transaction of transactions) await block.add(transaction)
  for (const record of await block.close()) records.add(record)
}

/** Makes a function that journals each operation before applying it. */
export function journalled(
  state: State,
  journal: Journal,
): (operation: Operation) => Promise<void> {
  return async (operation) => {
    const markFailed = journal.append(operation)
    try {
      await apply(state, operation)
    } catch (error) {
      markFailed()
      throw error
    }
  }
}

/** Applies an operation again. It may fail only if it failed the first time. */
export async function replay(state: State, { operation, hasFailed }: JournalEntry): Promise<void> {
  try {
    await apply(state, operation)
  } catch (cause) {
    if (!hasFailed) throw new Error(`The chains can't be restored: ${operation.op}`, { cause })
  }
}
