import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { createNodeGroup, NodesDisagree } from '../nodes/node-group.ts'
import { createNodeStanding } from '../nodes/standing.ts'
import {
  type BlockRef,
  type ChainLog,
  type ChainReader,
  type FinalReceipt,
  type KnownTransaction,
  StateGone,
} from './chain-reader.ts'
import { createQuorumReader } from './quorum-reader.ts'

const TX: Hex = `0x${'0a'.repeat(32)}`
const blockOf = (number: bigint): BlockRef => ({
  number,
  hash: `0x${number.toString(16).padStart(64, '0')}`,
  time: new Date(Number(number) * 3_000),
})
const RECEIPT: FinalReceipt = { txHash: TX, blockNumber: 5n, succeeded: true, logs: [] }
const LOG: ChainLog = {
  ...{ address: '0x02', topics: [], data: '0x', txHash: TX },
  ...{ blockNumber: 5n, blockHash: blockOf(5n).hash, blockIndex: 0 },
}
const FILTER = { addresses: ['0x02'] } as const
const RANGE = { from: 5n, to: 6n }
const KNOWN: KnownTransaction = { hash: TX, from: '0x01', to: null, input: '0x' }

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
    finalReceipt: async () => RECEIPT,
    transaction: async () => KNOWN,
    finalCall: async (_calls, at = blockOf(8n)) => ({ at, results: ['0x01'] }),
    ...lies,
  }
}

const CALL = [{ to: '0x02', data: '0x03' }] as const

const quorumOf = (...readers: readonly ChainReader[]) =>
  createQuorumReader(
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
      finalReceipt: async () => null,
      block: async (number) => (number > 6n ? null : blockOf(number)),
    })
    expect(await lonely.finalHead()).toEqual(blockOf(6n))
    expect(await lonely.finalReceipt(TX)).toBeNull()
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
      'the result of a transaction',
      { finalReceipt: async () => ({ ...RECEIPT, succeeded: false }) },
      (reader) => reader.finalReceipt(TX),
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
