import { NodeUnavailable } from '../senders/node-http.ts'
import type { ChainLog, ChainReader } from './chain-reader.ts'

/** Two nodes answered differently about what is final. Nothing may be done with either answer. */
export class NodesDisagree extends NodeUnavailable {
  override name = 'NodesDisagree'
}

/**
 * One reader out of several that must agree. What is final is the least that all call final; what is unknown must be
 * unknown to all. With a single reader it is that reader.
 */
export function createQuorumReader(readers: readonly ChainReader[]): ChainReader {
  const [first, ...others] = readers
  if (first === undefined) throw new NodeUnavailable('no node is configured')
  if (others.length === 0) return first
  const all = <T>(ask: (reader: ChainReader) => Promise<T>) => Promise.all(readers.map(ask))
  const quorum: ChainReader = {
    async finalHead() {
      const heads = await all((reader) => reader.finalHead())
      const lowest = heads.reduce((low, head) => (head.number < low.number ? head : low))
      const agreed = await quorum.block(lowest.number)
      if (agreed === null) throw new NodeUnavailable('a node lacks a block that it calls final')
      return agreed
    },
    async headNumber() {
      const numbers = await all((reader) => reader.headNumber())
      return numbers.toSorted((a, b) => (a < b ? 1 : -1))[0] ?? 0n
    },
    async block(number) {
      const blocks = await all((reader) => reader.block(number))
      if (blocks.includes(null)) return null
      return same(`block ${number}`, blocks, (block) => block?.hash ?? '')
    },
    async logs(filter, range) {
      const lists = await all((reader) => reader.logs(filter, range))
      return same(`logs of ${range.from} to ${range.to}`, lists, spellLogs)
    },
    async finalReceipt(txHash) {
      const receipts = await all((reader) => reader.finalReceipt(txHash))
      if (receipts.includes(null)) return null
      return same(`receipt ${txHash}`, receipts, (receipt) => spell(receipt))
    },
    async transaction(txHash) {
      const found = await all((reader) => reader.transaction(txHash))
      return found.find((transaction) => transaction !== null) ?? null
    },
    finalCall: (calls) => first.finalCall(calls),
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

function spellLogs(logs: readonly ChainLog[]): string {
  return logs
    .map((log) => spell(log))
    .sort()
    .join('\n')
}

function spell(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? `${part}` : part))
}
