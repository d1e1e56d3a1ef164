import { randomBytes } from 'node:crypto'
import type { Engine } from '../../core/engine.ts'
import { toQuantity } from '../../core/rpc.ts'
import { blockIdOf } from '../block-id.ts'
import { readBlock } from '../node.ts'
import { internalError, invalidParams } from './errors.ts'
import { findLogs, type LogCriteria, readCriteria } from './logs.ts'
import { readHeight } from './parameters.ts'
import type { LogResult } from './results.ts'

/** Polled filters. They are kept in memory and expire when not polled. */
export type Filters = {
  addLogFilter(filter: unknown): string
  addBlockFilter(): string
  remove(id: unknown): boolean
  /** What is new since the last poll. */
  changes(id: unknown): Promise<(LogResult | string)[]>
  /** All logs of a log filter's range. */
  logs(id: unknown): LogResult[]
}

type Filter = { criteria?: LogCriteria; from: number; to: number; next: number; askedAt: number }

const EXPIRES_AFTER_MS = 300_000

export function createFilters(engine: Engine): Filters {
  const filters = new Map<string, Filter>()
  const headNumber = () => engine.nodes.tron.head().number

  const add = (filter: Omit<Filter, 'next' | 'askedAt'>) => {
    const now = Date.now()
    for (const [id, { askedAt }] of filters) {
      if (now - askedAt > EXPIRES_AFTER_MS) filters.delete(id)
    }
    const id = toQuantity(BigInt(`0x${randomBytes(16).toString('hex')}`))
    filters.set(id, { ...filter, next: headNumber() + 1, askedAt: now })
    return id
  }
  const find = (id: unknown) => {
    const filter = filters.get(`${id}`)
    if (!filter) throw internalError('filter not found')
    filter.askedAt = Date.now()
    return filter
  }

  return {
    addLogFilter(filter) {
      const { fromBlock, toBlock } = (filter ?? {}) as { fromBlock?: unknown; toBlock?: unknown }
      if (fromBlock === 'finalized' || toBlock === 'finalized') {
        throw invalidParams('invalid block range params')
      }
      const isOpen = toBlock === undefined || toBlock === null || toBlock === 'latest'
      return add({
        criteria: readCriteria(filter),
        from: readHeight(engine, fromBlock ?? 'latest'),
        to: isOpen ? Number.POSITIVE_INFINITY : readHeight(engine, toBlock),
      })
    },
    addBlockFilter: () => add({ from: 0, to: Number.POSITIVE_INFINITY }),
    remove(id) {
      if (!filters.delete(`${id}`)) throw internalError('filter not found')
      return true
    },
    async changes(id) {
      const filter = find(id)
      const range = { from: filter.next, to: Math.min(headNumber(), filter.to) }
      filter.next = Math.max(filter.next, headNumber() + 1)
      return filter.criteria ? findLogs(engine, range, filter.criteria) : blockHashes(engine, range)
    },
    logs(id) {
      const { criteria, from, to } = find(id)
      if (!criteria) throw internalError('filter not found')
      return findLogs(engine, { from, to: Math.min(to, headNumber()) }, criteria)
    },
  }
}

async function blockHashes(engine: Engine, range: { from: number; to: number }): Promise<string[]> {
  const hashes: string[] = []
  for (let number = range.from; number <= range.to; number += 1) {
    const block = await readBlock(engine, number)
    if (block) hashes.push(`0x${blockIdOf(block)}`)
  }
  return hashes
}
