import { type Hex, keccak256 } from 'viem'
import type { TronBehaviour } from '../tron/behaviour.ts'
import { type BlockConditions, type OpenBlock, openBlock } from '../tron/execute.ts'
import type { TronRecord } from '../tron/records.ts'
import type { TronTransaction } from '../tron/transaction.ts'
import { blocksOf, createWaitingRoom, isAlive } from '../tron/waiting-room.ts'
import type { ChainName, EvmNode, Head } from './evm-node.ts'
import type { Journal, Operation } from './journal.ts'
import { journalled, type State } from './operations.ts'
import { toQuantity } from './rpc.ts'

/** Makes the blocks of both chains and holds the transactions that wait for one. */
export type BlockMaker = {
  /** Journals an operation and applies it. Requires the chain's lock. */
  perform(operation: Operation): Promise<void>
  /** Includes a valid transaction, or holds it while mining is paused. Requires Tron's lock. */
  acceptTron(transaction: TronTransaction): Promise<void>
  /** The transactions held while mining is paused, in order. */
  heldTransactions(): readonly TronTransaction[]
  /**
   * The block that would include the held transactions, or undefined without any. As on a real node, reads of the head
   * include this block although it may never be made.
   */
  pendingBlock(): OpenBlock | undefined
  /** Sends a raw transaction and includes it, unless mining is paused. Returns the node's reply. */
  sendBsc(raw: Hex): Promise<Hex>
  /** Makes the next block on both chains, unless mining is paused. */
  tick(): Promise<void>
  /** Includes the held transactions, then makes further blocks until there are at least `blocks` new ones. */
  mine(chain: ChainName, blocks: number): Promise<void>
  pause(): Promise<void>
  /** Takes effect when it is its turn: a tick before it would include what is held, and nobody would know of it. */
  resume(): Promise<void>
  dropTransactions(): Promise<void>
  reorganise(
    chain: ChainName,
    change: Reorganisation & { keepTransactions: boolean },
  ): Promise<void>
}

/** The number of newest blocks to replace, or the newest block to keep. */
export type Reorganisation = { depth: number } | { after: number }

export function createBlockMaker(
  state: State,
  journal: Journal,
  behaviour: () => TronBehaviour,
): BlockMaker {
  const { nodes } = state
  let isPaused = false

  const perform = journalled(state, journal)
  /** Real time plus the offset, but never earlier than the previous block. */
  const nextTimestamp = (chain: ChainName) =>
    Math.max(Math.floor(state.clock.nowMs() / 1000), nodes[chain].head().timestamp)
  const mineOne = (chain: ChainName) =>
    perform({ op: 'mine', chain, timestamp: nextTimestamp(chain) })
  const conditions = () => conditionsOf(behaviour())
  const includeTron = (transactions: readonly TronTransaction[]) => {
    const timestamp = nextTimestamp('tron')
    return perform({ op: 'tron-block', transactions, timestamp, ...conditions() })
  }
  const waiting = createWaitingRoom(() =>
    openBlock({
      node: nodes.tron,
      records: state.records,
      timestamp: nextTimestamp('tron'),
      ...conditions(),
    }),
  )
  const takeWaiting = async () => {
    const held = waiting.empty()
    if (held.length > 0) await nodes.tron.rpc('anvil_dropAllTransactions')
    return held
  }
  const includeHeld = async () => {
    const held = await takeWaiting()
    const alive = held.filter(isAlive(nextTimestamp('tron') * 1000))
    for (const transactions of blocksOf(alive)) await includeTron(transactions)
  }
  const includeAgain = async (dropped: Dropped) => {
    for (const transactions of dropped.tron) await includeTron(transactions)
    for (const raw of dropped.bsc) await perform({ op: 'bsc-transaction', raw })
  }

  return {
    perform,
    async acceptTron(transaction) {
      await (isPaused ? waiting.add(transaction) : includeTron([transaction]))
    },
    heldTransactions: waiting.all,
    pendingBlock: waiting.block,
    sendBsc: (raw) =>
      nodes.bsc.lock.run(async () => {
        await perform({ op: 'bsc-transaction', raw })
        if (!isPaused) await mineOne('bsc')
        return keccak256(raw)
      }),
    async tick() {
      await Promise.all(
        (['tron', 'bsc'] as const).map((chain) =>
          nodes[chain].lock.run(async () => (isPaused ? undefined : mineOne(chain))),
        ),
      )
    },
    mine: (chain, count) =>
      nodes[chain].lock.run(async () => {
        const target = nodes[chain].head().number + count
        if (chain === 'tron') await includeHeld()
        while (nodes[chain].head().number < target) await mineOne(chain)
      }),
    async pause() {
      isPaused = true
      // Waits for operations in progress.
      await Promise.all([nodes.tron.lock.run(nothing), nodes.bsc.lock.run(nothing)])
    },
    resume: () =>
      nodes.tron.lock.run(() => {
        isPaused = false
        return includeHeld()
      }),
    async dropTransactions() {
      await nodes.tron.lock.run(takeWaiting)
      await nodes.bsc.lock.run(() => nodes.bsc.rpc('anvil_dropAllTransactions'))
    },
    reorganise: (chain, change) =>
      nodes[chain].lock.run(async () => {
        // The held transactions were validated on blocks that are about to be removed.
        const held = chain === 'tron' ? await takeWaiting() : []
        const oldHead = nodes[chain].head()
        const dropped = await rollBack(state, chain, depthOf(change, oldHead))
        // The different timestamp makes it a different block.
        await perform({ op: 'mine', chain, timestamp: oldHead.timestamp + 1 })
        if (change.keepTransactions) await includeAgain(dropped)
        while (nodes[chain].head().number < oldHead.number) await mineOne(chain)
        for (const transaction of held) await waiting.add(transaction)
      }),
  }
}

function conditionsOf({ transactionsTimeOut, energyFactor }: TronBehaviour): BlockConditions {
  return { timesOut: transactionsTimeOut, energyFactor }
}

async function nothing(): Promise<void> {}

function depthOf(change: Reorganisation, { number }: Head): number {
  return 'after' in change ? number - change.after : change.depth
}

/** Tron's transactions by block. */
type Dropped = { tron: TronTransaction[][]; bsc: Hex[] }

async function rollBack(state: State, chain: ChainName, depth: number): Promise<Dropped> {
  const { nodes, records } = state
  const node = nodes[chain]
  const firstGone = node.head().number - depth + 1
  const bsc = chain === 'bsc' ? await rawTransactionsFrom(node, firstGone) : []
  await node.rpc('anvil_rollback', depth)
  await node.refreshHead()
  const gone: TronRecord[] = chain === 'tron' ? records.removeFrom(firstGone) : []
  const byBlock = Map.groupBy(gone, ({ blockNumber }) => blockNumber)
  const tron = [...byBlock.values()].map((block) => block.map(({ transaction }) => transaction))
  return { tron, bsc }
}

async function rawTransactionsFrom(node: EvmNode, firstBlock: number): Promise<Hex[]> {
  const raws: Hex[] = []
  for (let number = firstBlock; number <= node.head().number; number += 1) {
    const block = await node.rpc<{ transactions: Hex[] }>(
      'eth_getBlockByNumber',
      toQuantity(number),
      false,
    )
    for (const hash of block.transactions) {
      raws.push(await node.rpc<Hex>('eth_getRawTransactionByHash', hash))
    }
  }
  return raws
}
