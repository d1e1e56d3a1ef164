import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { StateGone } from '../nodes/failures.ts'
import { createNodeGroup, NodesDisagree } from '../nodes/node-group.ts'
import { createNodeStanding } from '../nodes/standing.ts'
import type {
  BlockRef,
  ChainLog,
  ChainReader,
  FinalReceipt,
  KnownTransaction,
} from './chain-reader.ts'
import { combineReaders } from './combine-nodes.ts'

const TX: Hex = `0x${'0a'.repeat(32)}`
const blockOf = (number: bigint): BlockRef => ({
  number,
  hash: `0x${number.toString(16).padStart(64, '0')}`,
  time: new Date(Number(number) * 3_000),
})
const RECEIPT: FinalReceipt = {
  ...{ kind: 'final', txHash: TX, blockNumber: 5n, blockTime: new Date(0) },
  ...{ failure: null, logs: [], fee: 1n },
}
const LOG: ChainLog = {
  ...{ address: '0x02', topics: [], data: '0x', txHash: TX },
  ...{ blockNumber: 5n, blockHash: blockOf(5n).hash, blockIndex: 0 },
}
const FILTER = { addresses: ['0x02'] } as const
const RANGE = { from: 5n, to: 6n }
const KNOWN: KnownTransaction = { hash: TX, from: '0x01', to: null, input: '0x', nonce: 7 }

/** A node at block 10, of which block 8 is final. The test can override its replies. */
function node(lies: Partial<ChainReader> = {}): ChainReader {
  return {
    chainId: async () => 97,
    finalHead: async () => blockOf(8n),
    headNumber: async () => 10n,
    block: async (number) => (number > 10n ? null : blockOf(number)),
    logs: async () => [],
    logRange: async () => 5_000n,
    code: async () => '0x',
    receiptsIn: async () => [],
    receipt: async () => RECEIPT,
    transaction: async () => KNOWN,
    finalCall: async (_calls, at = blockOf(8n)) => ({ at, results: ['0x01'] }),
    ...lies,
  }
}

const CALL = [{ to: '0x02', data: '0x03' }] as const

const quorumOf = (...readers: readonly ChainReader[]) =>
  combineReaders(
    createNodeGroup(
      readers.map((client, at) => ({ client, standing: createNodeStanding(`node-${at}`) })),
    ),
  )

/** The two orders in which an honest node and a lying one can be configured. */
const PLACES = [
  ['first', (lies: Partial<ChainReader>) => quorumOf(node(lies), node())],
  ['last', (lies: Partial<ChainReader>) => quorumOf(node(), node(lies))],
] as const

describe.each(PLACES)('the lying node is configured %s', (_place, ask) => {
  test('[T065] a single positive reply is not trusted: a block that only one node calls final is not final yet', async () => {
    const lonely = ask({
      finalHead: async () => blockOf(6n),
      receipt: async () => ({ kind: 'mined' }),
      block: async (number) => (number > 6n ? null : blockOf(number)),
    })
    expect(await lonely.finalHead()).toEqual(blockOf(6n))
    expect(await lonely.receipt(TX)).toEqual({ kind: 'mined' })
    expect(await lonely.block(7n)).toBeNull()
  })

  test('[T065] a node that invents a newest block does not move the newest block', async () => {
    expect(await ask({ headNumber: async () => 9_999n }).headNumber()).toBe(10n)
    expect(await ask({ headNumber: async () => 9n }).headNumber()).toBe(9n)
  })

  test('[T065] a single negative reply is not trusted: a transaction that one node knows is not unknown', async () => {
    expect(await ask({ transaction: async () => null }).transaction(TX)).toEqual(KNOWN)
  })

  test.each<[string, Partial<ChainReader>, (reader: ChainReader) => Promise<unknown>]>([
    [
      'a block',
      { block: async (number) => ({ ...blockOf(number), hash: TX }) },
      (reader) => reader.block(7n),
    ],
    [
      'the newest final block',
      { block: async (number) => ({ ...blockOf(number), hash: TX }) },
      (reader) => reader.finalHead(),
    ],
    ['the logs of a range', { logs: async () => [LOG] }, (reader) => reader.logs(FILTER, RANGE)],
    [
      'the sender of a transaction',
      { transaction: async () => ({ ...KNOWN, nonce: 8 }) },
      (reader) => reader.transaction(TX),
    ],
    [
      'a figure of a contract',
      { finalCall: async (_calls, at = blockOf(8n)) => ({ at, results: ['0xffff'] }) },
      (reader) => reader.finalCall(CALL),
    ],
    ['the chain itself', { chainId: async () => 56 }, (reader) => reader.chainId()],
  ])('[T065] when nodes disagree about %s, neither is trusted', async (_what, lies, question) => {
    await expect(question(ask(lies))).rejects.toBeInstanceOf(NodesDisagree)
  })
})

test.each<[string, Partial<FinalReceipt>]>([
  ['the result', { failure: 'REVERT' }],
  ['the block', { blockNumber: 6n }],
  ['the logs', { logs: [LOG] }],
])(
  '[T065] when two nodes disagree about %s of a transaction, it is not final',
  async (_what, lie) => {
    for (const [, ask] of PLACES) {
      const receipt = await ask({ receipt: async () => ({ ...RECEIPT, ...lie }) }).receipt(TX)
      expect(receipt).toEqual({ kind: 'mined' })
    }
  },
)

test('[T065] a transaction is unknown only if no node has it in a block', async () => {
  for (const [, ask] of PLACES) {
    const unknown = async () => ({ kind: 'unknown' }) as const
    expect(await ask({ receipt: unknown }).receipt(TX)).toEqual({ kind: 'mined' })
  }
  expect(await quorumOf(node(), node()).receipt(TX)).toEqual(RECEIPT)
  // What nodes round differently decides nothing.
  const other = node({ receipt: async () => ({ ...RECEIPT, fee: 2n }) })
  expect(await quorumOf(node(), other).receipt(TX)).toEqual(RECEIPT)
})

test('figures are read from all nodes at the same block: if one is already past it, a newer block is used', async () => {
  let final = 7n
  const slow = node({ finalHead: async () => blockOf(final) })
  const fast = node({
    async finalCall(_calls, at = blockOf(8n)) {
      final = 8n
      if (at.number < 8n) throw new StateGone('moved on')
      return { at, results: ['0x01'] }
    },
  })
  expect(await quorumOf(slow, fast).finalCall(CALL)).toEqual({
    at: blockOf(8n),
    results: ['0x01'],
  })
})
