import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { NodeThrottled, NodeUnavailable } from '../nodes/failures.ts'
import { createNodeGroup, NodesDisagree } from '../nodes/node-group.ts'
import { createNodeStanding } from '../nodes/standing.ts'
import type { ChainReader, FinalReceipt, Outcome, Receipt } from './chain-reader.ts'
import { combineReaders } from './combine-nodes.ts'

const NOW = new Date('2026-01-01T12:00:00Z')
const MINUTE_MS = 60_000
const hashOf = (number: bigint): Hex => `0x${number.toString(16).padStart(64, '0')}`
const blockOf = (number: bigint, ageMs = 0) => ({
  ...{ number, hash: hashOf(number) },
  time: new Date(NOW.getTime() - ageMs),
})
const OUTCOME: Outcome = {
  ...{ txHash: hashOf(1n), blockNumber: 5n, failure: null, logs: [], fee: 1n },
}
const RECEIPT: FinalReceipt = { kind: 'final', blockTime: NOW, ...OUTCOME }
const FAILED: Receipt = { ...RECEIPT, failure: 'REVERT' }

function node(changes: Partial<ChainReader> = {}): ChainReader {
  return {
    chainId: async () => 56,
    finalHead: async () => blockOf(8n),
    headNumber: async () => 10n,
    block: async (number) => (number > 10n ? null : blockOf(number)),
    logs: async () => [],
    logRange: async () => 100n,
    code: async () => '0xc0de',
    receiptsIn: async () => [OUTCOME],
    receipt: async () => RECEIPT,
    transaction: async () => null,
    finalCall: async (_calls, at = blockOf(8n)) => ({ at, results: ['0x01'] }),
    ...changes,
  }
}

const lost = async () => {
  throw new NodeUnavailable('b could not be reached')
}
const LOST: ChainReader = {
  chainId: lost,
  finalHead: lost,
  headNumber: lost,
  block: lost,
  logs: lost,
  logRange: lost,
  code: lost,
  receiptsIn: lost,
  receipt: lost,
  transaction: lost,
  finalCall: lost,
}

/** Nodes named a, b, c … */
function given(readers: readonly ChainReader[], needed?: number) {
  const time = { nowMs: 0 }
  const nodes = readers.map((client, at) => ({
    client,
    standing: createNodeStanding('abcdef'.charAt(at), () => time.nowMs),
  }))
  const reader = combineReaders(createNodeGroup(nodes, needed), {
    maxLagMs: 3 * MINUTE_MS,
    now: () => NOW,
  })
  const troubles = () => nodes.flatMap(({ standing }) => standing.troubles())
  return { reader, troubles, time }
}

const everything = async (reader: ChainReader) => [
  await reader.finalHead(),
  await reader.headNumber(),
  await reader.block(7n),
  await reader.logs({ addresses: [] }, { from: 1n, to: 2n }),
  await reader.logRange({ addresses: [] }, 8n),
  await reader.code('0x01'),
  await reader.receiptsIn(5n, []),
  await reader.receipt(hashOf(1n)),
  (await reader.finalCall([])).results,
]
const TRUTH = [blockOf(8n), 10n, blockOf(7n), [], 100n, '0xc0de', [OUTCOME], RECEIPT, ['0x01']]

test.each([
  ['first', [LOST, node(), node()]],
  ['last', [node(), node(), LOST]],
])('the loss of one of three nodes stops nothing: %s', async (_place, readers) => {
  expect(await everything(given(readers).reader)).toEqual(TRUTH)
})

test.each([
  ['lost', lost],
  [
    'throttled',
    async () => {
      throw new NodeThrottled('slow down', 30_000)
    },
  ],
])('of two nodes one decides nothing alone while the other is %s', async (_how, receipt) => {
  const { reader } = given([node(), node({ receipt })])
  await expect(reader.receipt(hashOf(1n))).rejects.toBeInstanceOf(NodeUnavailable)
})

test('of two nodes one is enough only where the operator says so', async () => {
  expect(await everything(given([node(), LOST], 1).reader)).toEqual(TRUTH)
})

test('a node that remains unreachable is reported after twenty seconds, and asked again only occasionally', async () => {
  let asked = 0
  const counted = async () => {
    asked += 1
    return lost()
  }
  const { reader, troubles, time } = given([node(), { ...LOST, headNumber: counted }], 1)
  for (let count = 0; count < 20; count += 1) await reader.headNumber()
  expect(asked).toBe(3)
  time.nowMs += 19_999
  expect(troubles()).toEqual([])
  time.nowMs += 1
  await reader.headNumber()
  expect(asked).toBe(4)
  expect(troubles()).toEqual([
    { kind: 'node_down', message: 'b gives no answers: b could not be reached' },
  ])
})

test('while both of two nodes answer, neither decides alone, and both are named', async () => {
  const { reader, troubles } = given([node(), node({ receipt: async () => FAILED })], 1)
  expect(await reader.receipt(hashOf(1n))).toEqual({ kind: 'mined' })
  expect(troubles().map(({ kind }) => kind)).toEqual(['node_differs', 'node_differs'])
  const other = given([node(), node({ block: async () => ({ ...blockOf(7n), hash: hashOf(9n) }) })])
  const answer = other.reader.block(7n)
  await expect(answer).rejects.toBeInstanceOf(NodesDisagree)
  await expect(answer).rejects.toThrow(/^a and b disagree/)
})

test('two of three nodes decide: the one that lies is reported, and forgiven after ten minutes of agreement', async () => {
  const liar = node({
    block: async (number) => ({ ...blockOf(number), hash: hashOf(99n) }),
    receipt: async () => FAILED,
    finalCall: async (_calls, at = blockOf(8n)) => ({ at, results: ['0xff'] }),
    headNumber: async () => 9_999n,
  })
  const { reader, troubles, time } = given([node(), liar, node()])
  expect(await everything(reader)).toEqual(TRUTH)
  expect(troubles()).toEqual([
    { kind: 'node_differs', message: expect.stringMatching(/^b disagrees with the other nodes/) },
  ])
  time.nowMs += 10 * MINUTE_MS
  expect(troubles()).toEqual([])
})

test('three different answers count as no answer', async () => {
  const saying = (value: Hex) =>
    node({ finalCall: async (_calls, at = blockOf(8n)) => ({ at, results: [value] }) })
  const { reader } = given([saying('0x01'), saying('0x02'), saying('0x03')])
  await expect(reader.finalCall([])).rejects.toBeInstanceOf(NodesDisagree)
})

test('a node that lags behind the clock is reported and not used until it has caught up', async () => {
  let ageMs = 20 * MINUTE_MS
  const behind = node({
    finalHead: async () => blockOf(3n, ageMs),
    block: async (number) => (number > 3n ? null : blockOf(number)),
    receipt: async () => ({ kind: 'mined' }),
  })
  const { reader, troubles } = given([node(), behind], 1)
  expect(await everything(reader)).toEqual(TRUTH)
  expect(troubles()).toEqual([
    { kind: 'node_lags', message: expect.stringMatching(/^The newest final block of b is 1200 s/) },
  ])
  ageMs = 0
  expect((await reader.finalHead()).number).toBe(3n)
  expect(troubles()).toEqual([])
  expect(await reader.receipt(hashOf(1n))).toEqual({ kind: 'mined' })
})

test('of two nodes that must agree, the one that lags is named although it is still needed', async () => {
  const behind = node({ finalHead: async () => blockOf(3n, 20 * MINUTE_MS) })
  const { reader, troubles } = given([node(), behind])
  expect((await reader.finalHead()).number).toBe(3n)
  expect(troubles().map(({ kind }) => kind)).toEqual(['node_lags'])
  expect((await reader.finalHead()).number).toBe(3n)
})

test('no node counts as lagging when the whole network has stopped', async () => {
  const still = () => node({ finalHead: async () => blockOf(8n, 30 * MINUTE_MS) })
  const { reader, troubles } = given([still(), still()])
  expect((await reader.finalHead()).number).toBe(8n)
  expect(troubles()).toEqual([])
})

test('when two of three nodes disagree while the third rests, the third is asked before they are said to disagree', async () => {
  const [broken, wrong] = [{ is: true }, { is: false }]
  const block: ChainReader['block'] = async (number) => (broken.is ? lost() : blockOf(number))
  const lie: ChainReader['block'] = async (number) =>
    wrong.is ? { ...blockOf(number), hash: hashOf(99n) } : blockOf(number)
  const { reader, troubles } = given([node(), node({ block }), node({ block: lie })])
  for (let failures = 0; failures < 3; failures += 1) await reader.block(7n)
  broken.is = false
  wrong.is = true
  const split = await reader.block(7n).catch((error: unknown) => error)
  expect(split).toBeInstanceOf(NodeUnavailable)
  expect(split).not.toBeInstanceOf(NodesDisagree)
  expect(await reader.block(7n)).toEqual(blockOf(7n))
  expect(troubles()).toEqual([
    { kind: 'node_differs', message: 'c disagrees with the other nodes: block 7.' },
  ])
})
