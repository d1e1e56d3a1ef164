import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { lesser } from '../bigints.ts'
import { NodeUnavailable } from '../nodes/failures.ts'
import type { Answer, NodeGroup } from '../nodes/node-group.ts'
import {
  type BlockRef,
  CallFailed,
  type ChainLog,
  type ChainReader,
  StateGone,
} from './chain-reader.ts'

export type QuorumOptions = {
  /** A node whose newest final block is older is not used while enough others are not. */
  maxLagMs: number
  /** Real time. */
  now(): Date
}

/** Nodes that cannot read the state at a given height reach the same newest block within a block time. */
const MAX_CALL_TRIES = 10
const PAUSE_BETWEEN_TRIES_MS = 400

/**
 * Combines the readers of several nodes. An answer counts when more than half of the nodes that answered, and at least
 * as many as the group needs, gave it; so losing one node stops nothing, and while both of two nodes answer, neither
 * decides alone. The newest block, and the newest final one, are those that enough nodes have reached. A block or
 * receipt that too many nodes lack is null; a transaction is null only when no node knows it.
 */
export function createQuorumReader(
  group: NodeGroup<ChainReader>,
  options?: QuorumOptions,
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
    async finalReceipt(txHash) {
      const receipts = await group.all((reader) => reader.finalReceipt(txHash))
      return agreedOrNull(group, `receipt ${txHash}`, receipts, canonical)
    },
    async receiptsIn(block, filters) {
      const lists = await group.all((reader) => reader.receiptsIn(block, filters))
      return group.agreed(`receipts of block ${block}`, lists, canonical)
    },
    async transaction(txHash) {
      const found = await group.all((reader) => reader.transaction(txHash))
      return found.find(({ value }) => value !== null)?.value ?? null
    },
    async finalCall(calls, given) {
      if (group.nodes.length === 1) return group.first((reader) => reader.finalCall(calls, given))
      for (let tries = 1; ; tries += 1) {
        const at = given ?? (await quorum.finalHead())
        const answers = await group.all((reader) => callResults(reader, calls, at))
        const isGone = answers.some(({ value }) => value instanceof StateGone)
        if (!isGone) return { at, results: agreedResults(group, at, answers) }
        if (tries === MAX_CALL_TRIES)
          throw new StateGone(`the state of block ${at.number} is no longer available`)
        await sleep(PAUSE_BETWEEN_TRIES_MS)
      }
    },
  }
  return quorum
}

/** The final heads of the nodes that are up to date; those of all if too few are. */
async function finalHeads(
  group: NodeGroup<ChainReader>,
  options: QuorumOptions | undefined,
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
    const isBehind = areEnough && lagOf(head) > maxLagMs
    head.standing.lagSeen(isBehind ? lagOf(head) : undefined)
  }
  return areEnough ? current : heads
}

function reachedByEnough(group: NodeGroup<ChainReader>, numbers: readonly bigint[]): bigint {
  const descending = numbers.toSorted((a, b) => (a > b ? -1 : 1))
  const reached = descending[group.required(numbers.length) - 1]
  if (reached === undefined) throw new NodeUnavailable('too few nodes answered')
  return reached
}

function agreedOrNull<R>(
  group: NodeGroup<ChainReader>,
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

type Call = { to: Hex; data: Hex }

/** The results, or the failure, which is an answer too that other nodes may contradict. */
async function callResults(
  reader: ChainReader,
  calls: readonly Call[],
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
  group: NodeGroup<ChainReader>,
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
