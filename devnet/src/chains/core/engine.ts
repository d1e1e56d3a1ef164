import { keccak256 } from 'viem'
import { executeTransaction } from '../tron/execute.ts'
import { createTronRecords, type TronRecord, type TronRecords } from '../tron/records.ts'
import type { TronTransaction } from '../tron/transaction.ts'
import { type Checkpoint, type Deployment, readCheckpoint, writeCheckpoint } from './checkpoint.ts'
import { type ChainClock, createChainClock } from './clock.ts'
import { type ChainName, type EvmNode, FINALITY_BLOCKS } from './evm-node.ts'
import {
  type Journal,
  type JournalEntry,
  newestJournalId,
  type Operation,
  openJournal,
  readJournals,
} from './journal.ts'
import { createMutex } from './mutex.ts'
import { toQuantity } from './rpc.ts'

type Hex = `0x${string}`

/**
 * Both chains as one machine: everything that makes a block or changes state goes through here,
 * gets its time from the clock and is journalled first.
 */
export type Engine = {
  clock: ChainClock
  nodes: Record<ChainName, EvmNode>
  records: TronRecords
  deployment(): Deployment | undefined
  setDeployment(deployment: Deployment): void
  /** Includes a valid transaction, or holds it while mining is paused. Call it under Tron's lock. */
  acceptTron(transaction: TronTransaction): Promise<void>
  isHeld(txId: string): boolean
  heldTransactions(): readonly TronTransaction[]
  /** Sends a raw transaction and includes it, unless mining is paused. Answers what the node does. */
  sendBsc(raw: Hex): Promise<Hex>
  /** Gives both chains their next block, unless mining is paused. */
  tick(): Promise<void>
  /** Includes what is held, then makes blocks until there are `blocks` new ones at least. */
  mine(chain: ChainName, blocks: number): Promise<void>
  advanceTo(timestampMs: number): Promise<void>
  addBalance(chain: ChainName, account: { address: Hex; amount: bigint }): Promise<void>
  pause(): Promise<void>
  resume(): Promise<void>
  dropTransactions(): Promise<void>
  reorganise(
    chain: ChainName,
    change: Reorganisation & { keepTransactions: boolean },
  ): Promise<void>
  /** Stores a checkpoint now. */
  save(): Promise<void>
  /** Stores a checkpoint when the journal has grown long. */
  saveIfDue(): Promise<void>
  close(): void
}

/** How many of the newest blocks are replaced, or which is the newest that stays. */
export type Reorganisation = { depth: number } | { after: number }

/** Replaying this many takes a few seconds at most. */
const JOURNAL_LIMIT = 1_000

type State = {
  clock: ChainClock
  nodes: Record<ChainName, EvmNode>
  records: TronRecords
}

/** Brings two fresh processes to where the folder says that they were. */
export async function createEngine(options: {
  dir: string
  nodes: Record<ChainName, EvmNode>
}): Promise<Engine> {
  const { dir, nodes } = options
  const checkpoint = await readCheckpoint(dir)
  const state: State = {
    clock: createChainClock(checkpoint?.offsetMs),
    nodes,
    records: createTronRecords(checkpoint?.records),
  }
  if (checkpoint) await restore(state, checkpoint)
  // A start that was interrupted while it replayed must find everything again: new operations go
  // to a journal of their own, behind those that are there.
  const entries = checkpoint ? readJournals(dir, checkpoint.id) : []
  for (const entry of entries) await replay(state, entry)
  const lastId = Math.max(checkpoint?.id ?? 0, newestJournalId(dir)) + 1
  const engine = buildEngine({ dir, state, lastId, deployment: checkpoint?.deployment })
  // A journal follows a checkpoint, and reads of the final view need the states of recent blocks.
  await engine.save()
  await Promise.all([
    engine.mine('tron', FINALITY_BLOCKS + 1),
    engine.mine('bsc', FINALITY_BLOCKS + 1),
  ])
  return engine
}

async function restore({ nodes }: State, { states }: Checkpoint): Promise<void> {
  await Promise.all(
    (['tron', 'bsc'] as const).map(async (chain) => {
      await nodes[chain].rpc('anvil_loadState', states[chain])
      await nodes[chain].refreshHead()
    }),
  )
}

/** Lets an operation happen. Given the same state, the same operation has the same effect. */
async function apply(state: State, operation: Operation): Promise<void> {
  const { nodes, records, clock } = state
  switch (operation.op) {
    case 'clock':
      return clock.setOffset(operation.offsetMs)
    case 'mine':
      return nodes[operation.chain].mine(operation.timestamp)
    case 'balance':
      return nodes[operation.chain].rpc('anvil_setBalance', operation.address, operation.balance)
    case 'bsc-transaction':
      return nodes.bsc.rpc('eth_sendRawTransaction', operation.raw)
    case 'tron-transaction':
      return records.add(await executeTransaction({ node: nodes.tron, ...operation }))
  }
}

/** Lets an operation happen again. It may fail only if it failed the first time. */
async function replay(state: State, { operation, hasFailed }: JournalEntry): Promise<void> {
  try {
    await apply(state, operation)
  } catch (cause) {
    if (!hasFailed) throw new Error(`The chains can't be restored: ${operation.op}`, { cause })
  }
}

function buildEngine(options: {
  dir: string
  state: State
  lastId: number
  deployment: Deployment | undefined
}): Engine {
  const { dir, state } = options
  const { clock, nodes, records } = state
  let { deployment, lastId } = options
  const journal = openJournal(dir, lastId)
  const saving = createMutex()
  const blocks = createBlockMaker(state, journal)

  const save = () =>
    saving.run(async () => {
      const snapshot = await nodes.tron.lock.run(() =>
        nodes.bsc.lock.run(async () => {
          const [tron, bsc] = await Promise.all([
            nodes.tron.rpc<Hex>('anvil_dumpState'),
            nodes.bsc.rpc<Hex>('anvil_dumpState'),
          ])
          lastId += 1
          journal.startNext(lastId)
          const checkpoint: Checkpoint = {
            version: 1,
            id: lastId,
            offsetMs: clock.offsetMs(),
            states: { tron, bsc },
            records: [...records.all()],
            ...(deployment && { deployment }),
          }
          return { id: lastId, text: JSON.stringify(checkpoint) }
        }),
      )
      await writeCheckpoint(dir, snapshot.text)
      journal.removeBefore(snapshot.id)
    })

  return {
    clock,
    nodes,
    records,
    deployment: () => deployment,
    setDeployment(next) {
      deployment = next
    },
    ...blocks,
    async advanceTo(timestampMs) {
      const target = Math.ceil(timestampMs / 1000) * 1000
      clock.setOffset(clock.offsetMs() + Math.max(0, target - clock.nowMs()))
      journal.append({ op: 'clock', offsetMs: clock.offsetMs() })
      // The final block, not just the head, must have reached the new time.
      const count = FINALITY_BLOCKS + 1
      await Promise.all([blocks.mine('tron', count), blocks.mine('bsc', count)])
    },
    addBalance: (chain, { address, amount }) =>
      nodes[chain].lock.run(async () => {
        const before = BigInt(await nodes[chain].rpc<Hex>('eth_getBalance', address, 'latest'))
        const operation = { op: 'balance', chain, address, balance: toQuantity(before + amount) }
        await blocks.perform(operation as Operation)
      }),
    save,
    saveIfDue: async () => (journal.length() > JOURNAL_LIMIT ? save() : undefined),
    close: () => journal.close(),
  }
}

type BlockMaker = Pick<
  Engine,
  | 'acceptTron'
  | 'isHeld'
  | 'heldTransactions'
  | 'sendBsc'
  | 'tick'
  | 'mine'
  | 'pause'
  | 'resume'
  | 'dropTransactions'
  | 'reorganise'
> & { perform(operation: Operation): Promise<void> }

function createBlockMaker(state: State, journal: Journal): BlockMaker {
  const { nodes } = state
  let isPaused = false
  let held: TronTransaction[] = []

  const perform = async (operation: Operation) => {
    const markFailed = journal.append(operation)
    try {
      await apply(state, operation)
    } catch (error) {
      markFailed()
      throw error
    }
  }
  /** Real time plus the offset, but never earlier than the block before. */
  const nextTimestamp = (chain: ChainName) =>
    Math.max(Math.floor(state.clock.nowMs() / 1000), nodes[chain].head().timestamp)
  const mineOne = (chain: ChainName) =>
    perform({ op: 'mine', chain, timestamp: nextTimestamp(chain) })
  const includeTron = (transaction: TronTransaction) =>
    perform({ op: 'tron-transaction', transaction, timestamp: nextTimestamp('tron') })
  const includeHeld = async () => {
    const waiting = held
    held = []
    for (const transaction of waiting) await includeTron(transaction)
  }

  return {
    perform,
    async acceptTron(transaction) {
      if (isPaused) held.push(transaction)
      else await includeTron(transaction)
    },
    isHeld: (txId) => held.some(({ txID }) => txID === txId),
    heldTransactions: () => held,
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
      // What has begun comes to its end first.
      await Promise.all([nodes.tron.lock.run(nothing), nodes.bsc.lock.run(nothing)])
    },
    async resume() {
      isPaused = false
      await nodes.tron.lock.run(includeHeld)
    },
    async dropTransactions() {
      await nodes.tron.lock.run(async () => {
        held = []
      })
      await nodes.bsc.lock.run(() => nodes.bsc.rpc('anvil_dropAllTransactions'))
    },
    reorganise: (chain, { keepTransactions, ...change }) =>
      nodes[chain].lock.run(async () => {
        const oldHead = nodes[chain].head()
        const depth = 'after' in change ? oldHead.number - change.after : change.depth
        const dropped = await rollBack(state, chain, depth)
        // A block at another time is another block.
        const timestamp = oldHead.timestamp + 1
        await perform({ op: 'mine', chain, timestamp })
        for (const transaction of keepTransactions ? dropped.tron : []) {
          await includeTron(transaction)
        }
        for (const raw of keepTransactions ? dropped.bsc : []) {
          await perform({ op: 'bsc-transaction', raw })
        }
        while (nodes[chain].head().number < oldHead.number) await mineOne(chain)
      }),
  }
}

async function nothing(): Promise<void> {}

type Dropped = { tron: TronTransaction[]; bsc: Hex[] }

async function rollBack(state: State, chain: ChainName, depth: number): Promise<Dropped> {
  const { nodes, records } = state
  const node = nodes[chain]
  const firstGone = node.head().number - depth + 1
  const bsc = chain === 'bsc' ? await rawTransactionsFrom(node, firstGone) : []
  await node.rpc('anvil_rollback', depth)
  await node.refreshHead()
  const gone: TronRecord[] = chain === 'tron' ? records.removeFrom(firstGone) : []
  return { tron: gone.map(({ transaction }) => transaction), bsc }
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
