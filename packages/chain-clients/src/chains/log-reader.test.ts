import { expect, test } from 'vitest'
import type { Decode } from '../nodes/decode.ts'
import {
  NodeThrottled,
  NodeUnavailable,
  NodeUnfit,
  NotOffered,
  RangeTooWide,
} from '../nodes/failures.ts'
import type { JsonRpc } from '../nodes/json-rpc.ts'
import { createLogRange } from './log-range.ts'
import { createLogReader } from './log-reader.ts'

const FILTER = { addresses: ['0x01'] } as const
const HOUR_MS = 3_600_000

/** A node that searches at most `allows` blocks at once; `says`: it states this limit. */
function given(limits: { allows: number; says: boolean; failure?: NodeUnavailable }) {
  const asked: number[] = []
  let nowMs = 0
  const ask = async <T>(method: string, [query]: readonly unknown[], result: Decode<T>) => {
    const { fromBlock, toBlock } = query as { fromBlock: string; toBlock: string }
    const blocks = Number(toBlock) - Number(fromBlock) + 1
    asked.push(blocks)
    if (blocks <= limits.allows) return result([], method)
    throw limits.failure ?? new RangeTooWide('too wide', limits.says ? limits.allows : undefined)
  }
  const rpc: JsonRpc = Object.assign(ask, { host: 'a' })
  const limit = createLogRange(() => nowMs)
  const reader = createLogReader(rpc, limit)
  return {
    asked,
    limits,
    read: (blocks: bigint) => reader.logs(FILTER, { from: 1n, to: blocks }),
    range: () => reader.logRange(FILTER, 9_999n),
    passHours: (hours: number) => {
      nowMs += hours * HOUR_MS
    },
  }
}

test('a node that states how many blocks it allows is asked for exactly that many from then on', async () => {
  const node = given({ allows: 100, says: true })
  await node.read(250n)
  expect(node.asked).toEqual([250, 100, 100, 50])
  await node.read(150n)
  expect(node.asked.slice(4)).toEqual([100, 50])
})

test('a node that does not state its limit is asked for half as many until it answers', async () => {
  const node = given({ allows: 100, says: false })
  await node.read(400n)
  expect(node.asked).toEqual([400, 200, 100, 100, 100, 100])
})

test('the range of a node is found without reading more than one range', async () => {
  const node = given({ allows: 700, says: false })
  expect(await node.range()).toBe(625n)
  expect(node.asked).toEqual([5_000, 2_500, 1_250, 625])
})

test.each([
  ['an error in unknown words', new NodeUnfit('no')],
  ['the words of a node that never searches', new NotOffered('limit exceeded')],
])('%s may be about the range, so half of it is tried at once', async (_what, failure) => {
  const node = given({ allows: 25, says: false, failure })
  await node.read(100n)
  expect(node.asked).toEqual([100, 50, 25, 25, 25, 25])
})

test('a search that gets no answer is repeated with half the range, which grows again with answers', async () => {
  const node = given({ allows: 100, says: false, failure: new NodeUnavailable('TIMEOUT') })
  await expect(node.read(400n)).rejects.toBeInstanceOf(NodeUnavailable)
  await expect(node.read(400n)).rejects.toBeInstanceOf(NodeUnavailable)
  await node.read(400n)
  expect(node.asked).toEqual([400, 200, 100, 100, 100, 100])
  node.limits.allows = 5_000
  node.asked.length = 0
  await node.read(1_000n)
  expect(node.asked).toEqual([200, 200, 200, 200, 200])
  await node.read(1_000n)
  expect(node.asked.slice(5)).toEqual([400, 400, 200])
})

test('a larger range is tried again after an hour, so that a temporary fault cannot narrow it permanently', async () => {
  const node = given({ allows: 100, says: true })
  await node.read(200n)
  node.limits.allows = 5_000
  await node.read(200n)
  node.passHours(1)
  node.asked.length = 0
  await node.read(200n)
  expect(node.asked).toEqual([200])
})

test('a refused single block, or a requested pause, does not narrow the range', async () => {
  await expect(given({ allows: 0, says: false }).read(1n)).rejects.toBeInstanceOf(RangeTooWide)
  const asked: unknown[] = []
  const ask = async (_method: string, params: readonly unknown[]): Promise<never> => {
    asked.push(params)
    throw new NodeThrottled('slow down', 1_000)
  }
  const { logs } = createLogReader(Object.assign(ask, { host: 'a' }))
  await expect(logs(FILTER, { from: 1n, to: 9n })).rejects.toBeInstanceOf(NodeThrottled)
  expect(asked).toHaveLength(1)
})
