import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { lesser } from '../bigints.ts'
import { CallFailed, NodeUnavailable, StateGone } from '../nodes/failures.ts'
import { type Answer, ascending, middleOf, type NodeGroup } from '../nodes/node-group.ts'
import { broadcastToAll } from './broadcast.ts'
import type { CallOutcome } from './calls.ts'
import type {
  BlockRef,
  ChainLog,
  ChainReader,
  FinalReceipt,
  Receipt,
  ViewCall,
} from './chain-reader.ts'
import type { EvmNode } from './evm-client.ts'
import type { TronNode } from './tron-client.ts'
import { anchorAt } from './tron-http.ts'

export type CombineOptions = {
  /** A node whose newest final block is older is not used while enough others are not. */
  maxLagMs: number
  /** Real time. */
  now(): Date
}

/** Nodes that cannot read the state at a given height reach the same newest block within a block time. */
const MAX_CALL_TRIES = 10
const PAUSE_BETWEEN_TRIES_MS = 400

/**
 * Combines several nodes of an EVM chain into one, for reading as for sending. What one node says is decided by the
 * others: counts are those that enough nodes have reached, prices and balances the middle ones, and a trial run fails
 * only if enough nodes say so.
 */
export function combineEvmNodes(group: NodeGroup<EvmNode>, options?: CombineOptions): EvmNode {
  const valuesOf = async (ask: (node: EvmNode) => Promise<bigint>) =>
    (await group.all(ask)).map(({ value }) => value)
  return {
    ...combineReaders(group, options),
    async nonceOf(address, view) {
      const counts = await group.all((node) => node.nonceOf(address, view))
      return Number(reachedByEnough(group, numbersIn(counts)))
    },
    async nonceAt(address, blockNumber) {
      const counts = await group.all((node) => node.nonceAt(address, blockNumber))
      const known = counts.filter((one) => one.value !== undefined)
      if (known.length < group.required(known.length)) return undefined
      return Number(reachedByEnough(group, numbersIn(known)))
    },
    balanceOf: async (address) => middleOf(await valuesOf((node) => node.balanceOf(address))),
    gasPrice: async () => middleOf(await valuesOf((node) => node.gasPrice())),
    simulate: (call) => tryRun(group, `a call of ${call.to}`, (node) => node.simulate(call)),
    broadcast: (raw) => broadcastToAll(group, raw),
  }
}

/** Combines several Tron nodes into one, by the same rules. */
export function combineTronNodes(group: NodeGroup<TronNode>, options?: CombineOptions): TronNode {
  const reader = combineReaders(group, options)
  return {
    ...reader,
    anchor: async () => anchorAt(await reader.finalHead()),
    simulate: (call) => tryRun(group, `a call of ${call.contract}`, (node) => node.simulate(call)),
    readFinal: (call) =>
      tryRun(group, `a view of ${call.contract}`, (node) => node.readFinal(call)),
    async resources(address) {
      const found = await group.all((node) => node.resources(address))
      const part = (name: 'sun' | 'energy' | 'bandwidth') =>
        middleOf(found.map(({ value }) => value[name]))
      return { sun: part('sun'), energy: part('energy'), bandwidth: part('bandwidth') }
    },
    async prices() {
      const found = await group.all((node) => node.prices())
      const part = (name: 'energySun' | 'bandwidthSun') =>
        middleOf(found.map(({ value }) => value[name]))
      return { energySun: part('energySun'), bandwidthSun: part('bandwidthSun') }
    },
    permission: (address) => group.first((node) => node.permission(address)),
    broadcast: (raw) => broadcastToAll(group, raw),
    async proveExpiry(attempt) {
      const proofs = await group.all((node) => node.proveExpiry(attempt))
      const known = proofs.flatMap(({ value }) => (value === undefined ? [] : [value]))
      const [first] = known
      if (first === undefined || known.length < proofs.length) return undefined
      return { ...first, nodes: known.flatMap(({ nodes }) => nodes) }
    },
  }
}

function numbersIn(counts: readonly Answer<number | undefined>[]): bigint[] {
  return counts.map(({ value = 0 }) => BigInt(value))
}

/** A trial run, in which a failure, or a result without any content, needs the agreement of enough nodes. */
function tryRun<T>(
  group: NodeGroup<T>,
  what: string,
  run: (node: T) => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const hasContent = (outcome: CallOutcome) => outcome.succeeded && outcome.output !== '0x'
  return group.confirmed(
    what,
    run,
    (outcome) => !hasContent(outcome),
    (outcome) => `${outcome.succeeded} ${hasContent(outcome)}`,
  )
}

/**
 * Combines the readers of several nodes. An answer counts when more than half of the nodes that answered, and at least
 * as many as the group needs, gave it; so of three, losing one node stops nothing, and of two, neither decides alone.
 * The newest block, and the newest final one, are those that enough nodes have reached. A block that too many nodes lack
 * is null; a transaction is null only when no node knows it.
 */
export function combineReaders<N extends ChainReader>(
  group: NodeGroup<N>,
  options?: CombineOptions,
): ChainReader {
  const quorum: ChainReader = {
    async chainId() {
      return group.agreed('the chain', await group.all((reader) => reader.chainId()), String)
    },
    async finalHead() {
      const heads = await finalHeads(group, options)
      const [only] = heads
      if (heads.length === 1 && only !== undefined) return only.value
      const reached = reachedByEnough(
        group,
        heads.map(({ value }) => value.number),
      )
      const agreed = await quorum.block(reached)
      if (agreed === null)
        throw new NodeUnavailable('a node lacks a block that it reports as final')
      return agreed
    },
    async headNumber() {
      // Fees must be paid after the head that was seen: a single node that invents blocks would make every payment look
      // too old.
      const heads = await group.all((reader) => reader.headNumber())
      return reachedByEnough(
        group,
        heads.map(({ value }) => value),
      )
    },
    async block(number) {
      const blocks = await group.all((reader) => reader.block(number))
      return agreedOrNull(group, `block ${number}`, blocks, (block) => block.hash)
    },
    async logs(filter, range) {
      const lists = await group.all((reader) => reader.logs(filter, range))
      return group.agreed(`logs of ${range.from} to ${range.to}`, lists, canonicalLogs)
    },
    async logRange(filter, to) {
      const sizes = await group.all((reader) => reader.logRange(filter, to))
      return sizes.map(({ value }) => value).reduce(lesser)
    },
    async code(address) {
      const codes = await group.all((reader) => reader.code(address))
      return group.agreed(`the code at ${address}`, codes, String)
    },
    async receipt(txHash) {
      const receipts = await group.all((reader) => reader.receipt(txHash))
      return agreedReceipt(group, `receipt ${txHash}`, receipts)
    },
    async receiptsIn(block, filters) {
      const lists = await group.all((reader) => reader.receiptsIn(block, filters))
      return group.agreed(`receipts of block ${block}`, lists, canonical)
    },
    async transaction(txHash) {
      const answers = await group.all((reader) => reader.transaction(txHash))
      const found = answers.flatMap(({ standing, value }) =>
        value === null ? [] : [{ standing, value }],
      )
      const most = Math.floor(found.length / 2) + 1
      return found.length === 0
        ? null
        : group.agreed(`transaction ${txHash}`, found, canonical, most)
    },
    async finalCall(calls, given) {
      if (group.nodes.length === 1) return group.first((reader) => reader.finalCall(calls, given))
      for (let tries = 1; ; tries += 1) {
        const at = given ?? (await quorum.finalHead())
        const answers = await group.all((reader) => callResults(reader, calls, at))
        const there = answers.filter(({ value }) => !(value instanceof StateGone))
        if (there.length >= group.required(answers.length)) {
          return { at, results: agreedResults(group, at, there) }
        }
        if (tries === MAX_CALL_TRIES)
          throw new StateGone(`the state of block ${at.number} is no longer available`)
        await sleep(PAUSE_BETWEEN_TRIES_MS)
      }
    },
  }
  return quorum
}

/** The final heads of the nodes that are up to date; those of all if too few are. */
async function finalHeads<N extends ChainReader>(
  group: NodeGroup<N>,
  options: CombineOptions | undefined,
): Promise<Answer<BlockRef>[]> {
  // Nodes that lagged are asked too, so that they can return.
  const asked = group.nodes.filter(({ standing }) => !standing.isOnWrongNetwork())
  const heads = await group.all((reader) => reader.finalHead(), asked)
  if (options === undefined) return heads
  const { maxLagMs } = options
  const lagOf = ({ value }: Answer<BlockRef>) => options.now().getTime() - value.time.getTime()
  const current = heads.filter((head) => lagOf(head) <= maxLagMs)
  const areEnough = current.length >= group.required(current.length)
  for (const head of heads) {
    const isBehind = current.length > 0 && lagOf(head) > maxLagMs
    head.standing.lagSeen(isBehind ? lagOf(head) : undefined, !areEnough)
  }
  return areEnough ? current : heads
}

function reachedByEnough(group: NodeGroup<unknown>, numbers: readonly bigint[]): bigint {
  const descending = numbers.toSorted((a, b) => ascending(b, a))
  const reached = descending[group.required(numbers.length) - 1]
  if (reached === undefined) throw new NodeUnavailable('too few nodes answered')
  return reached
}

function agreedOrNull<R>(
  group: NodeGroup<unknown>,
  what: string,
  answers: readonly Answer<R | null>[],
  spelled: (value: R) => string,
): R | null {
  const lacking = answers.filter(({ value }) => value === null).length
  const needed = group.required(answers.length)
  if (answers.length - lacking < needed) return null
  const found = answers.flatMap(({ standing, value }) =>
    value === null ? [] : [{ standing, value }],
  )
  return group.agreed(what, found, spelled, needed)
}

/**
 * Final when enough nodes report the same, unknown only when no node has it. Any other mix counts as mined, which
 * decides nothing.
 */
function agreedReceipt(
  group: NodeGroup<unknown>,
  what: string,
  answers: readonly Answer<Receipt>[],
): Receipt {
  if (answers.every(({ value }) => value.kind === 'unknown')) return { kind: 'unknown' }
  const finals = answers.flatMap(({ standing, value }) =>
    value.kind === 'final' ? [{ standing, value }] : [],
  )
  const spelled = finals.map(({ value }) => spelledReceipt(value))
  const votes = (text: string) => spelled.filter((other) => other === text).length
  const winner = spelled.findIndex((text) => votes(text) >= group.required(answers.length))
  // Where none wins, nobody can say which of them is wrong.
  const isContested = new Set(spelled).size > 1
  finals.forEach(({ standing }, at) => {
    if (isContested && spelled[at] !== spelled[winner]) standing.differed(what)
  })
  return finals[winner]?.value ?? { kind: 'mined' }
}

/** Fees and times are not compared: nodes may round them, and nothing is decided by them. */
function spelledReceipt({ failure, blockNumber, logs }: FinalReceipt): string {
  return canonical([failure === null, blockNumber, logs])
}

/** The results, or the failure, which is an answer too that other nodes may contradict. */
async function callResults(
  reader: ChainReader,
  calls: readonly ViewCall[],
  at: BlockRef,
): Promise<Hex[] | CallFailed | StateGone> {
  try {
    return (await reader.finalCall(calls, at)).results
  } catch (error) {
    if (error instanceof CallFailed || error instanceof StateGone) return error
    throw error
  }
}

function agreedResults(
  group: NodeGroup<unknown>,
  at: BlockRef,
  answers: readonly Answer<Hex[] | CallFailed | StateGone>[],
): Hex[] {
  const spelled = (value: Hex[] | CallFailed | StateGone) =>
    value instanceof Error ? 'failed' : canonical(value)
  const agreed = group.agreed(`figures at block ${at.number}`, answers, spelled)
  if (agreed instanceof Error) throw agreed
  return agreed
}

function canonicalLogs(logs: readonly ChainLog[]): string {
  return logs
    .map((log) => canonical(log))
    .sort()
    .join('\n')
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? `${part}` : part))
}
