import { setTimeout as sleep } from 'node:timers/promises'
import { NodeUnavailable } from '../senders/node-http.ts'
import { type ChainLog, type ChainReader, StateGone } from './chain-reader.ts'

/** Two nodes disagree about what is final. Neither answer may be used. */
export class NodesDisagree extends NodeUnavailable {
  override name = 'NodesDisagree'
}

/** Nodes that cannot read the state at a given height reach the same newest block within a block time. */
const MAX_CALL_TRIES = 10
const PAUSE_BETWEEN_TRIES_MS = 400

/**
 * Combines several readers that must agree. The newest block, and the newest final one, are those that all readers have
 * reached. A block or receipt that any reader lacks is null; a transaction is null only when no reader knows it. With a
 * single reader it returns that reader.
 */
export function createQuorumReader(readers: readonly ChainReader[]): ChainReader {
  const [first, ...others] = readers
  if (first === undefined) throw new NodeUnavailable('no node is configured')
  if (others.length === 0) return first
  const all = <T>(ask: (reader: ChainReader) => Promise<T>) => Promise.all(readers.map(ask))
  const quorum: ChainReader = {
    async chainId() {
      const ids = await all((reader) => reader.chainId())
      return same('the chain', ids, String)
    },
    async finalHead() {
      const heads = await all((reader) => reader.finalHead())
      const lowest = heads.reduce((low, head) => (head.number < low.number ? head : low))
      const agreed = await quorum.block(lowest.number)
      if (agreed === null)
        throw new NodeUnavailable('a node lacks a block that it reports as final')
      return agreed
    },
    async headNumber() {
      const numbers = await all((reader) => reader.headNumber())
      // Fees must be paid after the head that was seen: a single node that invents blocks would make every payment too
      // old.
      return numbers.toSorted((a, b) => (a < b ? -1 : 1))[0] ?? 0n
    },
    async block(number) {
      const blocks = await all((reader) => reader.block(number))
      if (blocks.includes(null)) return null
      return same(`block ${number}`, blocks, (block) => block?.hash ?? '')
    },
    async logs(filter, range) {
      const lists = await all((reader) => reader.logs(filter, range))
      return same(`logs of ${range.from} to ${range.to}`, lists, canonicalLogs)
    },
    async finalReceipt(txHash) {
      const receipts = await all((reader) => reader.finalReceipt(txHash))
      if (receipts.includes(null)) return null
      return same(`receipt ${txHash}`, receipts, (receipt) => canonical(receipt))
    },
    async transaction(txHash) {
      const found = await all((reader) => reader.transaction(txHash))
      return found.find((transaction) => transaction !== null) ?? null
    },
    async finalCall(calls, given) {
      for (let tries = 1; ; tries += 1) {
        const at = given ?? (await quorum.finalHead())
        try {
          const answers = await all((reader) => reader.finalCall(calls, at))
          return same(`figures at block ${at.number}`, answers, ({ results }) => canonical(results))
        } catch (error) {
          if (!(error instanceof StateGone) || tries === MAX_CALL_TRIES) throw error
          await sleep(PAUSE_BETWEEN_TRIES_MS)
        }
      }
    },
  }
  return quorum
}

function same<T>(what: string, answers: readonly T[], spelled: (answer: T) => string): T {
  const [answer, ...others] = answers
  if (answer === undefined) throw new NodeUnavailable('no node is configured')
  const spelling = spelled(answer)
  if (others.some((other) => spelled(other) !== spelling)) {
    throw new NodesDisagree(`the nodes disagree about ${what}`)
  }
  return answer
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
