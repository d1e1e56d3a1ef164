import type { Engine } from '../../core/engine.ts'
import { toEvm } from '../address.ts'
import { invalidParams, tooManyResults } from './errors.ts'
import { readBlockWithHash, readHash, readHeight, readHexAddress } from './parameters.ts'
import { type LogResult, logResults } from './results.ts'

/** The conditions on a log; an empty list matches everything. */
export type LogCriteria = { addresses: string[]; topics: string[][] }
export type BlockRange = { from: number; to: number }

const MOST_BLOCKS = 5_000
const MOST_RESULTS = 10_000
const MOST_ALTERNATIVES = 1_000
const MOST_TOPICS = 4

type Filter = {
  fromBlock?: unknown
  toBlock?: unknown
  blockHash?: unknown
  address?: unknown
  topics?: unknown
}

export async function getLogs(engine: Engine, filter: unknown): Promise<LogResult[]> {
  return findLogs(engine, await readRange(engine, filter), readCriteria(filter))
}

export function findLogs(engine: Engine, range: BlockRange, criteria: LogCriteria): LogResult[] {
  const found = engine.records
    .between(range)
    .flatMap(logResults)
    .filter((log) => matches(log, criteria))
  if (found.length > MOST_RESULTS) {
    throw tooManyResults(`query returned more than ${MOST_RESULTS} results`)
  }
  return found
}

async function readRange(engine: Engine, filter: unknown): Promise<BlockRange> {
  const { fromBlock, toBlock, blockHash } = objectOf(filter)
  if (blockHash !== undefined && blockHash !== null) {
    if (fromBlock !== undefined || toBlock !== undefined) {
      throw invalidParams(
        'cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other',
      )
    }
    const block = await readBlockWithHash(engine, blockHash)
    if (!block) throw invalidParams('invalid blockHash')
    return { from: Number(block.number), to: Number(block.number) }
  }
  const to = readHeight(engine, toBlock || 'latest')
  const from = fromBlock
    ? readHeight(engine, fromBlock)
    : Math.min(to, engine.nodes.tron.head().number)
  if (from > to) throw invalidParams('please verify: fromBlock <= toBlock')
  if (to - from > MOST_BLOCKS) throw invalidParams(`exceed max block range: ${MOST_BLOCKS}`)
  return { from, to }
}

export function readCriteria(filter: unknown): LogCriteria {
  const { address, topics } = objectOf(filter)
  const addresses = listOf(address).map((item) => toEvm(readHexAddress(item)))
  const slots = listOf(topics)
  if (slots.length > MOST_TOPICS) throw invalidParams(`topics size should be <= ${MOST_TOPICS}`)
  const alternatives = slots.map((slot) => listOf(slot).map((topic) => `0x${readHash(topic)}`))
  if ([addresses, ...alternatives].some((list) => list.length > MOST_ALTERNATIVES)) {
    throw invalidParams(`exceed max addresses or topics: ${MOST_ALTERNATIVES}`)
  }
  return { addresses, topics: alternatives }
}

function matches(log: LogResult, { addresses, topics }: LogCriteria): boolean {
  if (addresses.length > 0 && !addresses.includes(log.address)) return false
  return topics.every((wanted, slot) => {
    const topic = log.topics[slot]
    return wanted.length === 0 || (topic !== undefined && wanted.includes(topic))
  })
}

function objectOf(filter: unknown): Filter {
  if (typeof filter === 'object' && filter !== null) return filter
  throw invalidParams('JSON RPC request params invalid')
}

function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
