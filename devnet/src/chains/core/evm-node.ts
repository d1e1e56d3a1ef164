import { startAnvil } from '@dct/local-services'
import { createMutex, type Mutex } from './mutex.ts'
import { connectRpc, type Rpc, toQuantity } from './rpc.ts'

export type ChainName = 'tron' | 'bsc'
export type Head = { number: number; timestamp: number }

/** On both chains, a block is final once it has this many blocks on top of it. */
export const FINALITY_BLOCKS = 2

export const CHAIN_IDS = { tron: 3_448_148_188, bsc: 97 } as const

/** The process of one chain. Everything that makes a block or changes state requires `lock`. */
export type EvmNode = {
  chain: ChainName
  pid: number
  rpc: Rpc
  lock: Mutex
  head(): Head
  finalNumber(): number
  /** Makes one block from everything in the pool, at that time (in seconds). */
  mine(timestamp: number): Promise<void>
  /** Reads the head from the process, after anything except `mine` has changed it. */
  refreshHead(): Promise<void>
  exited: Promise<{ lastLines: string }>
  stop(): Promise<void>
}

/** How many blocks a reorganisation can replace; each one costs memory. */
const KEPT_STATES = 64

/**
 * Old states are kept only for reads of the final view. The process never mines on its own: the engine gives every block
 * its timestamp, so that a run can be reproduced exactly.
 */
const COMMON_ARGS = [
  ...['--accounts', '0', '--no-mining', '--order', 'fifo', '--hardfork', 'cancun'],
  ...['--slots-in-an-epoch', '1', '--no-request-size-limit'],
  ...['--disable-code-size-limit', '--disable-default-create2-deployer', '--auto-impersonate'],
]
const CHAIN_ARGS = {
  // One sun is one wei. Gas is free, because the gateway charges for energy instead.
  tron: ['--base-fee', '0', '--gas-price', '0', '--no-priority-fee', '--gas-limit', '1000000000'],
  bsc: ['--base-fee', '0', '--gas-price', '100000000'],
}

/**
 * Starts the process of one chain.
 * @param options.isRestored whether old blocks will be loaded. The first block then needs an early timestamp, because the
 * process accepts no block that is older than the first one
 */
export async function startEvmNode(options: {
  chain: ChainName
  dir: string
  isRestored: boolean
}): Promise<EvmNode> {
  const { chain, dir, isRestored } = options
  const anvil = await startAnvil({
    chainId: CHAIN_IDS[chain],
    dir,
    args: [
      ...COMMON_ARGS,
      ...CHAIN_ARGS[chain],
      ...['--prune-history', `${KEPT_STATES}`],
      ...(isRestored ? ['--timestamp', '1'] : []),
    ],
  })
  const rpc = await connectRpc(anvil.url)
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

/** The fields of a block, as the chain's process returns it, that are used here. */
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
