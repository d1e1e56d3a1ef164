/** The part of an EVM node's JSON-RPC that both chains offer: blocks and logs. */
import type { Hex } from 'viem'
import type { Block, Included, SimulatedChain } from './chain.ts'
import type { NodeMood } from './node-faults.ts'

export class RpcError extends Error {
  readonly code: number
  readonly data: Hex | undefined

  constructor(code: number, message: string, data?: Hex) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const hex = (value: number | bigint): Hex => `0x${value.toString(16)}`

/** What one node knows of its chain. */
export class NodeView<S> {
  readonly chain: SimulatedChain<S>
  readonly mood: NodeMood
  /** Logs that a lying node adds. */
  invented: InventedLog[] = []

  constructor(chain: SimulatedChain<S>, mood: NodeMood) {
    this.chain = chain
    this.mood = mood
  }

  get headNumber(): number {
    const lag = this.mood.fault === 'behind' ? this.mood.lag : 0
    return Math.max(0, this.chain.head.number - lag)
  }

  get finalNumber(): number {
    return Math.max(0, Math.min(this.headNumber, this.headNumber - this.chain.rules.finality))
  }

  block(number: number): Block<S> | undefined {
    return number >= 0 && number <= this.headNumber ? this.chain.blocks[number] : undefined
  }

  find(hash: Hex): { block: Block<S>; included: Included } | undefined {
    const found = this.chain.find(hash) ?? this.#inventedBy(hash)
    return found && found.block.number <= this.headNumber ? found : undefined
  }

  /** What a lying node says about a transaction that does not exist. */
  #inventedBy(hash: Hex): { block: Block<S>; included: Included } | undefined {
    const log =
      this.mood.fault === 'lies' ? this.invented.find(({ txHash }) => txHash === hash) : undefined
    const block = log && this.block(log.block)
    if (log === undefined || block === undefined) return undefined
    const { address, topics, data } = log
    const outcome = {
      succeeded: true,
      failure: null,
      output: '0x',
      fee: 0n,
      index: block.included.length,
    } as const
    const from: Hex = `0x${'1a'.repeat(20)}`
    return {
      block,
      included: {
        hash,
        from,
        to: address,
        data: '0x',
        ...outcome,
        logs: [{ address, topics, data }],
      },
    }
  }

  /** A block's transactions, with those that a lying node adds. */
  includedIn(block: Block<S>): readonly Included[] {
    const lies = this.invented.filter((log) => log.block === block.number)
    return [
      ...block.included,
      ...lies.flatMap(({ txHash }) => this.#inventedBy(txHash)?.included ?? []),
    ]
  }

  waiting(hash: Hex) {
    return this.chain.waiting.find((one) => one.hash === hash)
  }
}

export type InventedLog = {
  block: number
  txHash: Hex
  address: Hex
  topics: readonly Hex[]
  data: Hex
}

type Filter = {
  fromBlock: Hex
  toBlock: Hex
  address?: Hex | Hex[]
  topics?: (Hex | Hex[] | null)[]
}
const LARGEST_RANGE = 5_000

export function answerCommon<S>(
  view: NodeView<S>,
  chainId: number,
  method: string,
  params: readonly unknown[],
) {
  switch (method) {
    case 'eth_chainId':
      return { result: hex(chainId) }
    case 'eth_blockNumber':
      return { result: hex(view.headNumber) }
    case 'eth_getBlockByNumber':
      return { result: blockOf(view, params[0] as string) }
    case 'eth_getLogs':
      return { result: logsOf(view, params[0] as Filter) }
    default:
      return undefined
  }
}

export function numberOf<S>(view: NodeView<S>, tag: string): number {
  if (tag === 'finalized') return view.finalNumber
  return tag === 'latest' || tag === 'pending' ? view.headNumber : Number(tag)
}

function blockOf<S>(view: NodeView<S>, tag: string) {
  const block = view.block(numberOf(view, tag))
  if (block === undefined) return null
  const { number, hash, parent, time } = block
  return {
    number: hex(number),
    hash,
    parentHash: parent,
    timestamp: hex(time / 1_000),
    transactions: [],
  }
}

function logsOf<S>(view: NodeView<S>, filter: Filter) {
  const [from, to] = [Number(filter.fromBlock), Math.min(Number(filter.toBlock), view.headNumber)]
  if (to - from >= LARGEST_RANGE)
    throw new RpcError(-32_005, `exceed maximum block range: ${LARGEST_RANGE}`)
  const found: object[] = []
  for (let number = from; number <= to; number += 1) {
    const block = view.block(number)
    if (block === undefined) continue
    found.push(...logsIn(view, block).filter((log) => fits(filter, log)))
  }
  return found
}

/** A hole in a node's index of logs stays, however sound the node is otherwise. */
function logsIn<S>(view: NodeView<S>, block: Block<S>) {
  const { number, hash } = block
  const all = view
    .includedIn(block)
    .flatMap((one) => one.logs.map((log) => ({ ...log, txHash: one.hash })))
  return all
    .map((log, at) => ({ ...log, at }))
    .filter(({ txHash }) => view.mood.isMended || !view.mood.omitted.has(txHash))
    .map(({ address, topics, data, txHash, at }) => ({
      ...{
        address,
        topics,
        data,
        transactionHash: txHash,
        blockNumber: hex(number),
        blockHash: hash,
      },
      ...{ logIndex: hex(at), transactionIndex: '0x0', removed: false },
    }))
}

function fits(
  { address, topics = [] }: Filter,
  log: { address: Hex; topics: readonly Hex[] },
): boolean {
  const addresses = address === undefined ? [] : [address].flat().map((one) => one.toLowerCase())
  if (addresses.length > 0 && !addresses.includes(log.address)) return false
  return topics.every((wanted, at) => {
    if (wanted === null) return true
    const topic = log.topics[at]
    return topic !== undefined && [wanted].flat().some((one) => one.toLowerCase() === topic)
  })
}
