import type { OpenBlock } from './execute.ts'
import type { TronTransaction } from './transaction.ts'

/** The transactions held while mining is paused. */
type WaitingRoom = {
  all(): readonly TronTransaction[]
  block(): OpenBlock | undefined
  add(transaction: TronTransaction): Promise<void>
  /** Removes and returns all held transactions. They stay in the process's pool. */
  empty(): TronTransaction[]
}

export function createWaitingRoom(open: () => OpenBlock): WaitingRoom {
  let held: TronTransaction[] = []
  let block: OpenBlock | undefined
  return {
    all: () => held,
    block: () => block,
    async add(transaction) {
      held.push(transaction)
      if (isCreation(transaction)) return
      block ??= open()
      await block.add(transaction)
    },
    empty() {
      const all = held
      held = []
      block = undefined
      return all
    },
  }
}

/** A contract creation needs a separate block: it changes the state before the block is made. */
export function blocksOf(transactions: readonly TronTransaction[]): TronTransaction[][] {
  const blocks: TronTransaction[][] = []
  let isOpen = false
  for (const transaction of transactions) {
    if (isOpen && !isCreation(transaction)) blocks.at(-1)?.push(transaction)
    else blocks.push([transaction])
    isOpen = !isCreation(transaction)
  }
  return blocks
}

function isCreation({ raw_data }: TronTransaction): boolean {
  return raw_data.contract[0].type === 'CreateSmartContract'
}

/** No block accepts a transaction after its expiration. */
export function isAlive(nowMs: number): (transaction: TronTransaction) => boolean {
  return ({ raw_data }) => raw_data.expiration > nowMs
}
