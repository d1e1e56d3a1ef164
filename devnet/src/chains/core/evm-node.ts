import { startAnvil } from '@dct/local-services'
import { createMutex, type Mutex } from './mutex.ts'
import { createRpc, type Rpc, toQuantity } from './rpc.ts'

export type ChainName = 'tron' | 'bsc'
export type Head = { number: number; timestamp: number }

/** A block is final when this many blocks lie on it, on both chains. */
export const FINALITY_BLOCKS = 2

export const CHAIN_IDS = { tron: 3_448_148_188, bsc: 97 } as const

/** One chain's process. Whatever makes a block or changes state happens under `lock`. */
export type EvmNode = {
  chain: ChainName
  pid: number
  rpc: Rpc
  lock: Mutex
  head(): Head
  finalNumber(): number
  /** Makes one block at that time, given in seconds, of whatever waits in the pool. */
  mine(timestamp: number): Promise<void>
  /** Reads the head from the process, after it was changed by anything but `mine`. */
  refreshHead(): Promise<void>
  exited: Promise<{ lastLines: string }>
  stop(): Promise<void>
}

/**
 * Old states are kept for reads of the final view only. The process never mines by itself: every
 * block gets its time from us, which makes a run repeatable to the byte.
 */
const COMMON_ARGS = [
  ...['--accounts', '0', '--no-mining', '--order', 'fifo', '--hardfork', 'cancun'],
  ...['--slots-in-an-epoch', '1', '--no-request-size-limit'],
  ...['--disable-code-size-limit', '--disable-default-create2-deployer', '--auto-impersonate'],
]
const CHAIN_ARGS = {
  // One sun is one wei, and energy is charged by the gateway, so gas itself costs nothing.
  tron: ['--base-fee', '0', '--gas-price', '0', '--no-priority-fee', '--gas-limit', '1000000000'],
  bsc: ['--base-fee', '0', '--gas-price', '100000000'],
}

/**
 * @param options.keptStates how many blocks back a reorganisation can reach
 * @param options.isRestored whether old blocks will be loaded: then the process must not hold its
 * own start for the time of the first block, for it takes no block that is older than that
 */
export async function startEvmNode(options: {
  chain: ChainName
  dir: string
  keptStates: number
  isRestored: boolean
}): Promise<EvmNode> {
  const { chain, dir, keptStates, isRestored } = options
  const anvil = await startAnvil({
    chainId: CHAIN_IDS[chain],
    dir,
    args: [
      ...COMMON_ARGS,
      ...CHAIN_ARGS[chain],
      ...['--prune-history', `${keptStates}`],
      ...(isRestored ? ['--timestamp', '1'] : []),
    ],
  })
  const rpc = createRpc(anvil.url)
  let head: Head = { number: 0, timestamp: 0 }
  const node: EvmNode = {
    chain,
    pid: anvil.pid,
    rpc,
    lock: createMutex(),
    head: () => head,
    finalNumber: () => Math.max(0, head.number - FINALITY_BLOCKS),
    async mine(timestamp) {
      await rpc('evm_mine', { timestamp: toQuantity(timestamp) })
      head = { number: head.number + 1, timestamp }
    },
    async refreshHead() {
      const block = await rpc<EvmBlock>('eth_getBlockByNumber', 'latest', false)
      head = { number: Number(block.number), timestamp: Number(block.timestamp) }
    },
    exited: anvil.exited,
    stop: anvil.stop,
  }
  await node.refreshHead()
  return node
}

/** The part of a block, as the chain's process tells it, that we read. */
export type EvmBlock = {
  number: `0x${string}`
  hash: `0x${string}`
  parentHash: `0x${string}`
  timestamp: `0x${string}`
  transactionsRoot: `0x${string}`
  stateRoot: `0x${string}`
  receiptsRoot: `0x${string}`
  size: `0x${string}`
  gasUsed: `0x${string}`
  transactions: `0x${string}`[]
}
