import type { Hex } from 'viem'
import { DEFAULT_TRON_BEHAVIOUR, type TronBehaviour } from '../tron/behaviour.ts'
import { createTronRecords, type TronRecords } from '../tron/records.ts'
import { type BlockMaker, createBlockMaker } from './block-maker.ts'
import { type Checkpoint, type Deployment, readCheckpoint, writeCheckpoint } from './checkpoint.ts'
import { type ChainClock, createChainClock } from './clock.ts'
import { type ChainName, type EvmNode, FINALITY_BLOCKS } from './evm-node.ts'
import { newestJournalId, openJournal, readJournals } from './journal.ts'
import { createMutex } from './mutex.ts'
import { replay, type State } from './operations.ts'
import { toQuantity } from './rpc.ts'

/**
 * Both chains as one state machine: everything that makes a block or changes state goes through here, takes its time
 * from the clock, and is journalled first.
 */
export type Engine = Omit<BlockMaker, 'perform'> & {
  clock: ChainClock
  nodes: Record<ChainName, EvmNode>
  records: TronRecords
  tronBehaviour(): TronBehaviour
  /** The height that `/walletsolidity` serves. */
  solidNumber(): number
  /** Makes enough blocks that the height of `/walletsolidity` does not decrease. */
  setTronBehaviour(change: Partial<TronBehaviour>): Promise<void>
  deployment(): Deployment | undefined
  setDeployment(deployment: Deployment): void
  /** Makes blocks on both chains; on Tron, also as many as `/walletsolidity` lags behind. */
  mineBoth(count: number): Promise<void>
  advanceTo(timestampMs: number): Promise<void>
  addBalance(chain: ChainName, account: { address: Hex; amount: bigint }): Promise<void>
  /** Stores a checkpoint now. */
  save(): Promise<void>
  /** Stores a checkpoint if the journal has become long. */
  saveIfDue(): Promise<void>
  close(): void
}

/** Replaying this many operations takes a few seconds at most. */
const JOURNAL_LIMIT = 1_000

/** Restores the state in the folder into two fresh processes. */
export async function createEngine(options: {
  dir: string
  nodes: Record<ChainName, EvmNode>
  realMs?: (() => number) | undefined
}): Promise<Engine> {
  const { dir, nodes, realMs } = options
  const checkpoint = await readCheckpoint(dir)
  const state: State = {
    clock: createChainClock(checkpoint?.offsetMs, realMs),
    nodes,
    records: createTronRecords(checkpoint?.records),
  }
  if (checkpoint) await restore(state, checkpoint)
  // If the start is interrupted during the replay, the next one must still find all operations. So new operations go to
  // a separate journal that follows the existing ones.
  const entries = checkpoint ? readJournals(dir, checkpoint.id) : []
  for (const entry of entries) await replay(state, entry)
  const lastId = Math.max(checkpoint?.id ?? 0, newestJournalId(dir)) + 1
  const engine = buildEngine({ dir, state, lastId, deployment: checkpoint?.deployment })
  // Starts a new journal from here. Also, reads of the final view need the states of recent blocks.
  await engine.save()
  await engine.mineBoth(FINALITY_BLOCKS + 1)
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

function buildEngine(options: {
  dir: string
  state: State
  lastId: number
  deployment: Deployment | undefined
}): Engine {
  const { dir, state } = options
  const { clock, nodes, records } = state
  let { deployment, lastId } = options
  let behaviour = DEFAULT_TRON_BEHAVIOUR
  const journal = openJournal(dir, lastId)
  const saving = createMutex()
  const blocks = createBlockMaker(state, journal, () => behaviour)

  const mineBoth = async (count: number) => {
    await Promise.all([
      blocks.mine('tron', count + behaviour.solidityLag),
      blocks.mine('bsc', count),
    ])
  }
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
            version: 3,
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
    tronBehaviour: () => behaviour,
    solidNumber: () => Math.max(0, nodes.tron.finalNumber() - behaviour.solidityLag),
    async setTronBehaviour(change) {
      const next = { ...behaviour, ...change }
      const added = next.solidityLag - behaviour.solidityLag
      if (added > 0) await blocks.mine('tron', added)
      behaviour = next
    },
    deployment: () => deployment,
    setDeployment(next) {
      deployment = next
    },
    ...blocks,
    mineBoth,
    async advanceTo(timestampMs) {
      const target = Math.ceil(timestampMs / 1000) * 1000
      clock.setOffset(clock.offsetMs() + Math.max(0, target - clock.nowMs()))
      journal.append({ op: 'clock', offsetMs: clock.offsetMs() })
      // The final block must reach the new time too, not only the head.
      await mineBoth(FINALITY_BLOCKS + 1)
    },
    addBalance: (chain, { address, amount }) =>
      nodes[chain].lock.run(async () => {
        const before = BigInt(await nodes[chain].rpc<Hex>('eth_getBalance', address, 'latest'))
        const balance = toQuantity(before + amount)
        await blocks.perform({ op: 'balance', chain, address, balance })
      }),
    save,
    saveIfDue: async () => (journal.length() > JOURNAL_LIMIT ? save() : undefined),
    close: () => journal.close(),
  }
}
