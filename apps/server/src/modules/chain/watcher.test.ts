import { createEvmClient, NodesDisagree, NodeUnavailable } from '@dct/chain-clients'
import { devUsdtAbi, tokenAbi } from '@dct/contract-abi'
import { createBscWallet } from '@dct/devnet/chains/setup/bsc-wallet'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { type Hex, pad, toEventSelector } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { InvariantViolation } from '../../platform/errors.ts'
import { createLogger } from '../../platform/logger.ts'
import { createTestDatabase, type TestDatabase, wipe } from '../../testing/database.ts'
import { type LyingNode, startLyingNode } from '../../testing/lying-node.ts'
import { quorumOf } from '../../testing/quorum.ts'
import { eventsOf } from '../../testing/recorded-events.ts'
import { mintUsdt } from '../../testing/sender-chains.ts'
import { bytesOf, type ChainEvent, chainFacts, createWatcher, type Stream } from './index.ts'

const host = useChainHost()
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const OURS: Hex = `0x${'0f'.repeat(20)}`
const OTHER: Hex = `0x${'aa'.repeat(20)}`
let database: TestDatabase
let node: LyingNode
let handled: ChainEvent[]
let startBlock: bigint

beforeAll(async () => {
  database = await createTestDatabase()
  node = await startLyingNode(host().bscUrl)
})
afterAll(async () => {
  node?.stop()
  await database?.drop()
})
afterEach(() => host().control.resumeMining())
beforeEach(async () => {
  await wipe(database.db)
  node.tell(undefined)
  handled = []
  await host().control.finalize()
  startBlock = (await honest().finalHead()).number + 1n
})

const usdt = () => host().deployment.bsc.usdt.toLowerCase() as Hex
const honest = () => createEvmClient({ url: host().bscUrl })
const lying = () => createEvmClient({ url: node.url })

function stream(facts: Partial<Stream> = {}): Stream {
  return {
    name: 'usdt',
    contracts: [{ address: usdt(), abi: tokenAbi }],
    topicFilters: async () => [[TRANSFER, null, [pad(OURS)]]],
    handle: async (_tx, event) => {
      handled.push(event)
    },
    ...facts,
  }
}

function watcher(facts: { reader?: ReturnType<typeof honest>; stream?: Stream } = {}) {
  return createWatcher({
    db: database.db,
    chain: 'BSC',
    reader: facts.reader ?? honest(),
    streams: [facts.stream ?? stream()],
    log: createLogger('silent'),
    startBlock,
    maxRange: 4,
  })
}

const wallet = () => createBscWallet(host().bscUrl, host().serviceKeys.owner)
const mint = (to: Hex, amount: bigint) =>
  wallet().call({ contract: usdt(), abi: devUsdtAbi, functionName: 'mint', args: [to, amount] })
const finalize = () => host().control.finalize()
const amounts = () => handled.map((event) => event.args.value)
const cursorNow = async () => (await chainFacts(database.db))[0]

test('events of final blocks are recorded and handled once, in chain order', async () => {
  const watch = watcher()
  await watch.catchUp()
  const hash = await mint(OURS, 5n)
  await mint(OTHER, 6n)
  await mint(OURS, 7n)
  await finalize()
  await watch.catchUp()
  await watch.catchUp()
  expect(amounts()).toEqual(['5', '7'])
  expect(handled[0]).toMatchObject({
    chain: 'BSC',
    name: 'Transfer',
    logIndex: 0,
    args: { from: `0x${'00'.repeat(20)}`, to: OURS, value: '5' },
  })
  expect(await eventsOf(database.db, { chain: 'BSC', txHash: bytesOf(hash) })).toEqual([handled[0]])
})

test('[T026] nothing is handled before its block is final', async () => {
  const watch = watcher()
  await watch.catchUp()
  const before = await cursorNow()
  await host().control.pauseMining()
  const { bsc } = await host().control.info()
  await mintUsdt(host(), OURS, 5n)
  await host().control.mine({ chain: 'bsc', blocks: 1 })
  const newest = BigInt(bsc.head.number + 1)
  const filter = { addresses: [usdt()], topics: [TRANSFER, null, [pad(OURS)]] }
  expect(await honest().logs(filter, { from: newest, to: newest })).toHaveLength(1)
  await watch.catchUp()
  expect(handled).toEqual([])
  await host().control.reorg({ chain: 'bsc', after: bsc.head.number })
  await host().control.resumeMining()
  await mint(OURS, 8n)
  await finalize()
  await watch.catchUp()
  expect(amounts()).toEqual(['8'])
  const after = await cursorNow()
  expect(after?.blockNumber).toBeGreaterThan(before?.blockNumber ?? 0n)
  expect(after?.finalNumber).toBe(after?.blockNumber)
})

test('a failing handler stores neither event nor cursor, and the next step repeats everything', async () => {
  let failures = 1
  const watch = watcher({
    stream: stream({
      async handle(_tx, event) {
        if (event.args.value === '6' && failures > 0) {
          failures -= 1
          throw new Error('power cut')
        }
        handled.push(event)
      },
    }),
  })
  await watch.catchUp()
  const before = await cursorNow()
  await mint(OURS, 5n)
  await mint(OURS, 6n)
  await finalize()
  await expect(watch.catchUp()).rejects.toThrow('power cut')
  const events = await database.db.selectFrom('chain_event').select('args').execute()
  expect(events.length).toBeLessThan(2)
  expect((await cursorNow())?.blockNumber).toBeGreaterThanOrEqual(before?.blockNumber ?? 0n)
  handled = handled.filter((_event, index) => index < events.length)
  await watch.catchUp()
  expect(amounts()).toEqual(['5', '6'])
})

test('several watchers on one database handle each event once', async () => {
  const watchers = [watcher(), watcher(), watcher(), watcher()]
  await watchers[0]?.catchUp()
  for (let amount = 1n; amount <= 12n; amount += 1n) await mint(OURS, amount)
  await finalize()
  const results = await Promise.allSettled(watchers.map((watch) => watch.catchUp()))
  expect(results.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
  expect(amounts()).toEqual(Array.from({ length: 12 }, (_, index) => `${index + 1}`))
})

test('[T055] a log of a failed transaction is ignored', async () => {
  const watch = watcher({ reader: lying() })
  await watch.catchUp()
  await mint(OURS, 5n)
  await finalize()
  node.tell((method, result) =>
    method === 'eth_getTransactionReceipt' ? { ...(result as object), status: '0x0' } : result,
  )
  await watch.catchUp()
  expect(handled).toEqual([])
})

const changed = (list: unknown, change: (log: Record<string, unknown>) => object) =>
  (list as Record<string, unknown>[]).map((log) => ({ ...log, ...change(log) }))

test.each([
  [
    'invents an amount',
    'eth_getLogs',
    (result: unknown) => changed(result, () => ({ data: `0x${'0'.repeat(63)}9` })),
  ],
  [
    'names another contract',
    'eth_getLogs',
    (result: unknown) => changed(result, () => ({ address: OTHER })),
  ],
  [
    'names another block',
    'eth_getLogs',
    (result: unknown) => changed(result, () => ({ blockHash: `0x${'77'.repeat(32)}` })),
  ],
  ['has no receipt yet', 'eth_getTransactionReceipt', () => null],
  [
    'returns a receipt without logs',
    'eth_getTransactionReceipt',
    (result: unknown) => ({ ...(result as object), logs: [] }),
  ],
])(
  'a node that %s stops the watcher, which continues once the answers are right',
  async (_what, method, lie) => {
    const watch = watcher({ reader: lying() })
    await watch.catchUp()
    await mint(OURS, 5n)
    await mint(OURS, 6n)
    await finalize()
    node.tell((asked, result) => (asked === method ? lie(result) : result))
    await expect(watch.catchUp()).rejects.toBeInstanceOf(NodeUnavailable)
    expect(handled).toEqual([])
    node.tell(undefined)
    await watch.catchUp()
    expect(new Set(amounts())).toEqual(new Set(['5', '6']))
  },
)

test('two nodes must agree: a lying one stops the watcher and raises an alarm until it agrees', async () => {
  const quorum = quorumOf(honest(), lying())
  const watch = watcher({ reader: quorum })
  await watch.catchUp()
  await mint(OURS, 5n)
  await finalize()
  node.tell((method, result) =>
    method === 'eth_getLogs' ? changed(result, () => ({ data: `0x${'0'.repeat(63)}9` })) : result,
  )
  await expect(watch.catchUp()).rejects.toBeInstanceOf(NodesDisagree)
  expect(handled).toEqual([])
  const alarms = () =>
    database.db.selectFrom('alarm').select('kind').where('cleared_at', 'is', null).execute()
  expect(await alarms()).toEqual([{ kind: 'nodes_disagree' }])
  node.tell(undefined)
  await watch.catchUp()
  expect(amounts()).toEqual(['5'])
  expect(await alarms()).toEqual([])
})

test('a lagging node never moves the cursor back', async () => {
  const watch = watcher({ reader: lying() })
  await finalize()
  await watch.catchUp()
  const before = await cursorNow()
  const old = await honest().block((before?.blockNumber ?? 3n) - 2n)
  node.tell((method, result) =>
    method === 'eth_getBlockByNumber' &&
    (result as { number: Hex }).number === `0x${before?.finalNumber.toString(16)}`
      ? { number: `0x${old?.number.toString(16)}`, hash: old?.hash, timestamp: '0x1' }
      : result,
  )
  expect(await watch.catchUp()).toBe(true)
  expect((await cursorNow())?.blockNumber).toBe(before?.blockNumber)
})

test.each(['below', 'the newest'])(
  'an undone final block (%s) halts the chain until an admin ends the halt, and raises an alarm',
  async (place) => {
    const watch = watcher({ reader: lying() })
    await watch.catchUp()
    await host().control.pauseMining()
    await watch.catchUp()
    const before = await cursorNow()
    if (place === 'below') {
      await host().control.resumeMining()
      await mint(OURS, 5n)
      await finalize()
    }
    node.tell((method, result) => {
      const block = result as { number?: Hex } | null
      const isCursor = block?.number === `0x${before?.blockNumber.toString(16)}`
      return method === 'eth_getBlockByNumber' && isCursor
        ? { ...block, hash: `0x${'66'.repeat(32)}` }
        : result
    })
    expect(await watch.catchUp()).toBe(true)
    expect(await cursorNow()).toMatchObject({ blockNumber: before?.blockNumber, isHalted: true })
    node.tell(undefined)
    expect(await watcher().catchUp()).toBe(true)
    expect(handled).toEqual([])
    const alarms = await database.db.selectFrom('alarm').select(['kind', 'subject']).execute()
    expect(alarms).toEqual([{ kind: 'chain_halt', subject: 'BSC' }])
  },
)

test('a node with a range limit is asked for smaller ranges', async () => {
  const watch = watcher({ reader: lying() })
  await watch.catchUp()
  for (let amount = 1n; amount <= 6n; amount += 1n) await mint(OURS, amount)
  await finalize()
  const { reader, refusals } = limitedTo(2n)
  const limited = watcher({ reader })
  for (let tries = 0; tries < 200 && handled.length < 6; tries += 1) {
    await limited.step().catch((error: unknown) => expect(error).toBeInstanceOf(NodeUnavailable))
  }
  expect(refusals()).toBeGreaterThan(0)
  expect(amounts()).toEqual(['1', '2', '3', '4', '5', '6'])
})

/** A provider with a limit of blocks per request, which counts how often it refused one. */
function limitedTo(blocks: bigint) {
  const refusing = createEvmClient({ url: node.url })
  let refusals = 0
  const reader: ReturnType<typeof honest> = {
    ...refusing,
    async logs(filter, range) {
      if (range.to - range.from < blocks) return refusing.logs(filter, range)
      refusals += 1
      throw new NodeUnavailable('exceed max block range')
    },
  }
  return { reader, refusals: () => refusals }
}

test('an event that the books refuse stops the watcher with the reason', async () => {
  const refusing = stream({
    async handle() {
      throw new InvariantViolation('an odd event')
    },
  })
  const watch = watcher({ stream: refusing })
  await watch.catchUp()
  await mint(OURS, 5n)
  await finalize()
  await expect(watch.catchUp()).rejects.toThrow('an odd event')
  expect(await database.db.selectFrom('chain_event').select('args').execute()).toEqual([])
})

test('[T065] a node that invents a newest block does not make payments too old: the head is the lower of the two', async () => {
  node.tell((method, result) => (method === 'eth_blockNumber' ? '0xffffffff' : result))
  const truth = await honest().headNumber()
  const watch = watcher({ reader: quorumOf(honest(), lying()) })
  await watch.catchUp()
  const facts = await cursorNow()
  expect(facts?.headNumber).toBeGreaterThanOrEqual(facts?.finalNumber ?? 0n)
  expect(facts?.headNumber).toBeLessThan(truth + 100n)
})
